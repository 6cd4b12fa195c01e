-- When a queued message may leave, by the clock of the database; null is at once. Nodes of 0.1.0 do not know it: should one own the
-- instance, it sends the message in its turn and waits its delay anew.
ALTER TABLE message ADD COLUMN due timestamptz;

-- Counts the pairings of an instance, from the first log-out on.
ALTER TABLE instance ADD COLUMN pairing integer NOT NULL DEFAULT 0;
-- Which settings of a chat, and whether the name of a contact, were told as a change since that pairing. A part of the history holds them
-- as they were when it was made, and parts come for minutes and over reconnects: it does not overwrite these. The bits are in
-- `runtime/store/journal/told-settings.ts`.
ALTER TABLE chat ADD COLUMN told integer NOT NULL DEFAULT 0, ADD COLUMN told_pairing integer NOT NULL DEFAULT 0;
ALTER TABLE contact ADD COLUMN told_pairing integer;
