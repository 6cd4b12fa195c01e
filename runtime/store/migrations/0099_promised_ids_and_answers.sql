-- The id of the record that a scheduled send gets as a message, so that its answer names it at once. Such ids begin with `rf`, which those of
-- other messages do not, so that nobody takes them meanwhile. Empty for sends of nodes of the former release.
ALTER TABLE scheduled_send ADD COLUMN record_id text NOT NULL DEFAULT '';
CREATE INDEX scheduled_send_record ON scheduled_send (instance_id, record_id) WHERE record_id <> '';

-- Answers of calls with an `Idempotency-Key`, for 24 hours: a repeated call gets the first answer and does nothing. Sends have theirs in
-- their messages. Nodes of the former release do not know the table, and carry out each call.
CREATE TABLE kept_answer (
  -- Empty for calls of the administrator.
  instance_id     text NOT NULL,
  idempotency_key text NOT NULL,
  request_hash    text NOT NULL,
  -- Null while the call is under way, and after one that nobody knows the end of.
  status          smallint,
  -- JSON, encrypted: it may hold a token.
  reply           bytea,
  bytes           integer NOT NULL DEFAULT 0,
  created         timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (instance_id, idempotency_key)
);
CREATE INDEX kept_answer_created ON kept_answer (created);
