-- JSON: what the instance marks as read by itself, and how much history its next pairing asks for; empty for none.
-- An owner of the former release marks nothing.
ALTER TABLE instance ADD COLUMN reading_settings text NOT NULL DEFAULT '';
