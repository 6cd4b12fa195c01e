-- The pacing of sends that nobody waits for, by instance: what its owner has set, and where it stands, so that neither a restart nor a move
-- is followed by a burst. Times are by PostgreSQL's clock. A row lives as long as its instance, also when a node of the former release, which
-- does not know the table, deletes the instance.
CREATE TABLE send_pacer (
  instance_id  text PRIMARY KEY REFERENCES instance (id) ON DELETE CASCADE,
  -- Pause between two asynchronous sends; null: as the installation has it.
  delay_min_ms integer,
  delay_max_ms integer,
  -- The number is in use since then, as the owner says; null: since the pairing.
  in_use_since timestamptz,
  -- Null for instances that were paired before this table.
  paired_at    timestamptz,
  -- No asynchronous send leaves before.
  next_at      timestamptz,
  -- JSON: rate, budget, rests. Changes with each paced send, and is in no index.
  state        text NOT NULL DEFAULT ''
) WITH (fillfactor = 50);
