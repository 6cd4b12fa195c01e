-- The connection of each instance over time: a row when its status, or the cause of an end, changes. The journal keeps the newest 200 of each
-- instance, and the retention those of the last RETENTION_DAYS. Nodes of 0.1.0 write none.
CREATE TABLE connection_history (
  instance_id text NOT NULL,
  position    bigint GENERATED ALWAYS AS IDENTITY,
  at          timestamptz NOT NULL DEFAULT clock_timestamp(),
  status      text NOT NULL,
  -- The state of the machine, finer than the status.
  state       text NOT NULL,
  -- One word; empty when nothing has ended.
  cause       text NOT NULL DEFAULT '',
  -- The network's code; 0 when it gave none.
  code        integer NOT NULL DEFAULT 0,
  reason      text NOT NULL DEFAULT '',
  node        text NOT NULL,
  PRIMARY KEY (instance_id, position)
);
-- Rows lie in the order in which they were made.
CREATE INDEX connection_history_at ON connection_history USING brin (at);
