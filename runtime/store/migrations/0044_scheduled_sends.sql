-- Sends that leave at a time of their own. Until then they are not among the messages: retention, the queue and the chats do not see them.
-- When one is due, its message is queued and its row ends in one transaction. Nodes of earlier releases do not know the table: a send
-- of an instance that such a node owns waits until a newer one owns it.
CREATE TABLE scheduled_send (
  instance_id     text NOT NULL,
  -- The final id of the message at the network.
  messageid       text NOT NULL,
  position        bigint GENERATED ALWAYS AS IDENTITY,
  -- `scheduled`; `canceled` and `failed` are kept for a while, for callers who ask.
  status          text NOT NULL DEFAULT 'scheduled',
  due             timestamptz NOT NULL,
  -- The time as the caller wrote it, and the zone in which it is meant.
  asked           text NOT NULL,
  zone            text NOT NULL DEFAULT '',
  expire_after_ms bigint NOT NULL,
  -- Grows with each change, and the change that was made last, so that a repeated call finds it.
  revision        integer NOT NULL DEFAULT 1,
  last_change     text NOT NULL DEFAULT '',
  -- The JIDs of the chat.
  chat            text[] NOT NULL,
  track_id        text NOT NULL DEFAULT '',
  has_file        boolean NOT NULL DEFAULT false,
  error           text NOT NULL DEFAULT '',
  -- The message and what the caller asked, as JSON, encrypted.
  request         bytea NOT NULL,
  idempotency_key text,
  request_hash    text,
  created         timestamptz NOT NULL DEFAULT now(),
  updated         timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (instance_id, messageid)
);
CREATE INDEX scheduled_send_due ON scheduled_send (instance_id, due, position) WHERE status = 'scheduled';
CREATE INDEX scheduled_send_idempotency ON scheduled_send (instance_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
-- For retention.
CREATE INDEX scheduled_send_ended ON scheduled_send (updated) WHERE status <> 'scheduled';
