-- The username of a person, without its `@`; empty when none is known. A person may have a username and no number that the account may know.
ALTER TABLE contact ADD COLUMN username text NOT NULL DEFAULT '';
ALTER TABLE chat ADD COLUMN "wa_username" text NOT NULL DEFAULT '';
