-- Bodies of the events of a webhook: our own (`1.0`), or those of another gateway. A node of the former release sends its own.
ALTER TABLE webhook
  ADD COLUMN form text NOT NULL DEFAULT '1.0',
  -- Names of the form's events that it takes; empty for all of the kinds in `events`.
  ADD COLUMN form_events text[] NOT NULL DEFAULT '{}',
  -- Whether files of messages are in their events, as base64.
  ADD COLUMN include_base64 boolean NOT NULL DEFAULT false;
