-- Instances as the API of another gateway ("dialect") names them. Names are unique within a dialect; those of `instance` are not.
CREATE TABLE dialect_instance (
  instance_id text NOT NULL,
  dialect     text NOT NULL,
  name        text NOT NULL,
  -- Copy of the instance's token, sealed: dialects give it back. Null for instances that the dialect has not made.
  token       bytea,
  -- JSON: settings of the dialect that have no place of their own.
  settings    text NOT NULL DEFAULT '{}',
  created     timestamptz NOT NULL DEFAULT now(),
  updated     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (instance_id, dialect)
);
CREATE UNIQUE INDEX dialect_instance_name ON dialect_instance (dialect, name);
