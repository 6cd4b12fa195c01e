-- The shard of an instance, so that a node reads what is due in its own shards. The same as shardOf in shard.ts (FNV-1a modulo 256).
CREATE FUNCTION shard_of(instance_id text) RETURNS smallint LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  hash   bigint := 2166136261;
  letter text;
BEGIN
  FOREACH letter IN ARRAY regexp_split_to_array(instance_id, '') LOOP
    hash := ((hash # ascii(letter)) * 16777619) & 4294967295;
  END LOOP;
  RETURN (hash % 256)::smallint;
END $$;

ALTER TABLE instance ADD COLUMN shard smallint GENERATED ALWAYS AS (shard_of(id)) STORED;
CREATE INDEX instance_to_connect ON instance (shard) WHERE desired_connected;
