-- Administrators' tokens. Those made here (`rotated`, by their SHA-256) are valid on every node; that of ADMIN_TOKEN (`environment`, by
-- scrypt, since people choose it) is valid on the nodes that were started with it. A row stays after its end: an ADMIN_TOKEN that was rotated away must not come back to
-- life with the next start of a node that still has it.
CREATE TABLE admin_token (
  hash    bytea PRIMARY KEY,
  source  text NOT NULL,
  created timestamptz NOT NULL DEFAULT now(),
  ends    timestamptz
);

-- What opens an instance beside its token (`instance.token_hash`): `key` with a part of what the token may do, `former` tokens until
-- their end. By SHA-256 of random values of 256 bits.
CREATE TABLE access_key (
  instance_id text NOT NULL,
  id          text NOT NULL,
  hash        bytea NOT NULL,
  kind        text NOT NULL,
  name        text NOT NULL DEFAULT '',
  -- `read`, `send`; a former token has none, since it may do everything.
  scopes      text[] NOT NULL DEFAULT '{}',
  -- The JID of the one chat that the key is for.
  chat        text,
  created     timestamptz NOT NULL DEFAULT now(),
  ends        timestamptz,
  PRIMARY KEY (instance_id, id)
);
CREATE UNIQUE INDEX access_key_hash ON access_key (hash);
