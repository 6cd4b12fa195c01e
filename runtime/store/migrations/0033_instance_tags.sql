-- Tags by which administrators sort instances, and the orders in which `/instance/find` walks them. No column of these indices changes with the
-- traffic of an instance, so that updates of its row stay HOT.
ALTER TABLE instance ADD COLUMN tags text[] NOT NULL DEFAULT '{}';
CREATE INDEX instance_tags ON instance USING gin (tags);
CREATE INDEX instance_by_created ON instance (created, id);
CREATE INDEX instance_by_name ON instance ((lower(name) COLLATE "C"), id);
