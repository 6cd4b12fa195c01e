-- Until when a pairing counts against QR_INSTANCES_MAX, and until when a phone that has just scanned holds a place of INSTANCES_MAX before its
-- account is stored. Both end by themselves, so that no crash takes a place for ever. Nodes of 0.1.0 leave them null: their pairings count as
-- connected instances on them, and not at all here.
ALTER TABLE instance ADD COLUMN pairing_ends timestamptz, ADD COLUMN admitted_until timestamptz;
