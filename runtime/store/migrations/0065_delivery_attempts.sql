-- What was sent and answered, with each failed attempt. Null in rows of nodes of release 0.2.0 and older.
ALTER TABLE webhook_error
  ADD COLUMN position    bigint,
  ADD COLUMN duration_ms integer,
  ADD COLUMN headers     text,
  ADD COLUMN answer      text;

-- The newest deliveries that a receiver took, bounded for each webhook by the writer. Under load only some are recorded. Their bodies are
-- those of the events, which are not stored again.
CREATE TABLE webhook_success (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  webhook_id  uuid NOT NULL,
  instance_id text NOT NULL,
  position    bigint NOT NULL,
  url         text NOT NULL,
  status_code integer NOT NULL,
  attempts    integer NOT NULL,
  duration_ms integer NOT NULL,
  headers     text NOT NULL,
  answer      text NOT NULL,
  created     timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX webhook_success_webhook ON webhook_success (webhook_id, id DESC);
