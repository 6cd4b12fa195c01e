-- Attempts to deliver to each webhook, hour by hour, for eight days. An hour without attempts has no row. Nodes of the former release add nothing.
CREATE TABLE receiver_hour (
  webhook_id  uuid NOT NULL,
  -- Beginning of the hour, by the clock of PostgreSQL.
  at          timestamptz NOT NULL,
  -- Null for the webhook of all instances.
  instance_id text,
  delivered   bigint NOT NULL,
  failed      bigint NOT NULL,
  -- Of the attempts that were taken, in milliseconds.
  duration_ms bigint NOT NULL,
  slowest_ms  bigint NOT NULL,
  PRIMARY KEY (webhook_id, at)
) WITH (fillfactor = 70);
CREATE INDEX receiver_hour_at ON receiver_hour USING brin (at);
CREATE INDEX receiver_hour_instance ON receiver_hour (instance_id);

-- How many instances had which status, for eight days. A row counts from its five minutes until the next row: while nothing changes there is none.
CREATE TABLE account_state (
  at           timestamptz PRIMARY KEY,
  connected    integer NOT NULL,
  connecting   integer NOT NULL,
  disconnected integer NOT NULL
);

-- What blocked an agent, for readers of other languages; its reason is a sentence. Empty for those that nodes of the former release have blocked.
ALTER TABLE agent ADD COLUMN blocked_code text NOT NULL DEFAULT '';
