-- The username of the account itself, without its `@`; empty when it has none, or when none is known.
ALTER TABLE instance ADD COLUMN profile_username text NOT NULL DEFAULT '';
