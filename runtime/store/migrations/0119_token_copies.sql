-- Sealed copies of instances' tokens, while the operator has `WEBHOOK_TOKEN` set. A node of the former release rotates a token without its
-- copy, which then is of no use: the hash tells.
CREATE TABLE instance_token_copy (
  instance_id text PRIMARY KEY,
  -- SHA-256 of the token.
  token_hash  bytea NOT NULL,
  sealed      bytea NOT NULL
);
-- Whether the events of a webhook carry the token. A node of the former release leaves it out.
ALTER TABLE webhook ADD COLUMN include_token boolean NOT NULL DEFAULT false;
