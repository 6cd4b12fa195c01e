-- The number of shards of this cluster, in one row; shard_of() divides by it (shard-count.ts). A new cluster gets its row at its first start.
CREATE TABLE cluster_shards (
  shards   integer PRIMARY KEY,
  only_row boolean NOT NULL UNIQUE DEFAULT true CHECK (only_row)
);
INSERT INTO cluster_shards (shards)
  SELECT 256 WHERE EXISTS (SELECT FROM node) OR EXISTS (SELECT FROM instance) OR EXISTS (SELECT FROM shard_owner WHERE epoch > 0);

-- The number by which a node finds the shard of an instance; nodes of older releases do not name it, and know only 256. The store takes no node
-- that has another number than the cluster. Rows of dead nodes follow a change.
ALTER TABLE node ADD COLUMN shards integer NOT NULL DEFAULT 256 REFERENCES cluster_shards ON UPDATE CASCADE;
