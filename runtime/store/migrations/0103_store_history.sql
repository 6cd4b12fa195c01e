-- What the store knows of its own past, in one row: so that nodes notice when it goes back in time (docs/operations/failover.md).
CREATE TABLE store_history (
  only_row   boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  -- Grows with each change of nodes or owners. Triggers count, so that nodes of a former release count as well.
  counter    bigint NOT NULL DEFAULT 0,
  -- Grows when the store went back. Whatever carries an era is from before or after that.
  era        integer NOT NULL DEFAULT 1,
  -- Of the last time that it went back: when a node noticed, how, and the span of which commits are missing, as far as it is known.
  era_began  timestamptz,
  cause      text NOT NULL DEFAULT '',
  noticed_by text NOT NULL DEFAULT '',
  lost_from  timestamptz,
  lost_until timestamptz
) WITH (fillfactor = 10);
INSERT INTO store_history DEFAULT VALUES;

-- At the end of the statement: whoever waits for shards does not hold this row.
CREATE FUNCTION count_ownership() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE store_history SET counter = counter + 1;
  RETURN NULL;
END $$;
CREATE TRIGGER count_owners AFTER UPDATE ON shard_owner FOR EACH STATEMENT EXECUTE FUNCTION count_ownership();
-- Not holds, which change the revision only.
CREATE TRIGGER count_nodes AFTER INSERT OR UPDATE OF dead, draining ON node FOR EACH STATEMENT EXECUTE FUNCTION count_ownership();
