-- Until when a message is pinned in its chat for all members, in milliseconds since 1970; null or 0: it is not.
ALTER TABLE message ADD COLUMN pinned_until bigint;
-- The note that the account keeps of a chat on its devices, and its name in the app state; empty when there is none.
ALTER TABLE chat
  ADD COLUMN "wa_notes" text NOT NULL DEFAULT '',
  ADD COLUMN wa_note_id text NOT NULL DEFAULT '';
