-- Codes of links to the dashboard: a row of `pass` that opens nothing but the making of one pass, with which it goes. Codes begin otherwise than
-- passes do, so that a node of an older release refuses them.
ALTER TABLE pass ADD COLUMN is_code boolean NOT NULL DEFAULT false;
