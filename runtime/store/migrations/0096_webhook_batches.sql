-- Several events in one request, for receivers that take arrays: the most events of one, and how long the first waits for others. Null: one event in
-- each request. Nodes of the former release send single events meanwhile.
ALTER TABLE webhook ADD COLUMN batch_max integer, ADD COLUMN batch_wait_ms integer;
