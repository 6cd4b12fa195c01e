-- Counts the pairings of an instance, from the first log-out on.
ALTER TABLE instance ADD COLUMN pairing integer NOT NULL DEFAULT 0;
