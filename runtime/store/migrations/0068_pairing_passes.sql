-- Passes and codes of links that only pair an instance. They begin otherwise than other passes and codes do, so that a node of an older
-- release, which would take them for more, refuses them.
ALTER TABLE pass ADD COLUMN is_pairing boolean NOT NULL DEFAULT false;
