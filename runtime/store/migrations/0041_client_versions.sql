-- Revisions of the network's web client that the cluster knows: named by the network's own source (candidate), taken in a login (good), or refused
-- in one. Logins report the newest good one.
CREATE TABLE client_version (
  revision bigint PRIMARY KEY,
  state text NOT NULL CHECK (state IN ('candidate', 'good', 'refused')),
  changed timestamptz NOT NULL DEFAULT now()
);
