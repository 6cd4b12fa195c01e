-- The names of the custom lead fields of an instance: JSON, from field to name.
ALTER TABLE instance ADD COLUMN fields_map text NOT NULL DEFAULT '{}';
