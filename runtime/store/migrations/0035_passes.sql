-- Passes: short-lived tokens that were made from a token, a key or an administrator's token, which they end with. By SHA-256 of random
-- values of 256 bits. A node of an older release knows none and refuses them.
CREATE TABLE pass (
  id          text PRIMARY KEY,
  hash        bytea NOT NULL,
  -- Null: the pass is an administrator's own.
  instance_id text,
  -- `admin`, `token`, `key`
  parent_kind text NOT NULL,
  -- As `admin_token.hash`, `instance.token_hash` or `access_key.hash` has it.
  parent_hash bytea NOT NULL,
  -- The pass of an administrator with which this one was made for an instance.
  parent_pass text,
  -- Name of the parent in the audit log.
  actor       text NOT NULL,
  created     timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- The pass ends here unless it is used before; never after `ends`.
  idle_ends   timestamptz NOT NULL,
  ends        timestamptz NOT NULL
) WITH (fillfactor = 70);
CREATE UNIQUE INDEX pass_hash ON pass (hash);
CREATE INDEX pass_parent ON pass (parent_hash);
CREATE INDEX pass_instance ON pass (instance_id);
CREATE INDEX pass_parent_pass ON pass (parent_pass) WHERE parent_pass IS NOT NULL;

-- The pass with which a call was made, or that it opened; empty for calls with the token itself.
ALTER TABLE audit ADD COLUMN pass text NOT NULL DEFAULT '';
CREATE INDEX audit_pass ON audit (pass, position) WHERE pass <> '';
