-- Calls of the API by instance, for a day. Nodes write many at once, and leave calls out rather than wait. Nodes of the former release write none.
CREATE TABLE request_log (
  position    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  instance_id text NOT NULL,
  at          timestamptz NOT NULL,
  node        text NOT NULL,
  operation   text NOT NULL,
  -- token, key or admin.
  actor_kind  text NOT NULL,
  -- Id of the key; empty for others.
  key_id      text NOT NULL,
  client      text NOT NULL,
  has_pass    boolean NOT NULL,
  is_read     boolean NOT NULL,
  status      smallint NOT NULL,
  code        text NOT NULL,
  ms          integer NOT NULL,
  request_id  text NOT NULL,
  -- Above 0: the row stands for so many calls that were left out, and has nothing else to say.
  left_out    integer NOT NULL DEFAULT 0
);
CREATE INDEX request_log_instance ON request_log (instance_id, position);
CREATE INDEX request_log_at ON request_log (at);
