-- The id of the record that a scheduled send gets as a message, so that its answer names it at once. Such ids begin with `rf`, which those of
-- other messages do not, so that nobody takes them meanwhile. Empty for sends of nodes of the former release.
ALTER TABLE scheduled_send ADD COLUMN record_id text NOT NULL DEFAULT '';
CREATE INDEX scheduled_send_record ON scheduled_send (instance_id, record_id) WHERE record_id <> '';
