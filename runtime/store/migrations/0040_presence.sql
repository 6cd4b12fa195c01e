-- Presence that an account shows: `available`, or `unavailable` as before. Nodes of 0.1.0 show none.
ALTER TABLE instance ADD COLUMN presence text NOT NULL DEFAULT 'unavailable';
