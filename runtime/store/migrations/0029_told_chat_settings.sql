-- Which settings of a chat were told as a change since that pairing (`instance.pairing`). A part of the history holds them as they were
-- when it was made, and parts come for minutes and over reconnects: it does not overwrite these. The bits are in
-- `runtime/store/journal/told-settings.ts`.
ALTER TABLE chat ADD COLUMN told integer NOT NULL DEFAULT 0, ADD COLUMN told_pairing integer NOT NULL DEFAULT 0;
