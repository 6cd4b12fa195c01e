-- The proxy of an instance. Its URL holds a password, so the settings are sealed as a whole. A row lives as long as its instance, also
-- when a node of the former release, which does not know the table, deletes the instance.
CREATE TABLE instance_proxy (
  instance_id text PRIMARY KEY REFERENCES instance (id) ON DELETE CASCADE,
  settings bytea NOT NULL,
  tested timestamptz NOT NULL DEFAULT now()
);
