-- Numbers that campaigns have looked up at the network, so that none is asked twice in a short time. The rows of a day are also the count of its
-- look-ups. Nodes of former releases ask without looking here.
CREATE TABLE number_check (
  instance_id text NOT NULL,
  -- JID as the campaign has it.
  address     text NOT NULL,
  -- JID as the network has it; null: no account.
  found       text,
  checked_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (instance_id, address)
);
CREATE INDEX number_check_age ON number_check (checked_at);
