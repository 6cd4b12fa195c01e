-- The nodes of the cluster, a row for each life of one. docs/ownership.md.
CREATE TABLE node (
  -- Random, made at each start of the process; the owner of shards.
  incarnation text PRIMARY KEY,
  node_id     text NOT NULL,
  address     text NOT NULL,
  version     text NOT NULL,
  draining    boolean NOT NULL DEFAULT false,
  -- Never false again.
  dead        boolean NOT NULL DEFAULT false,
  -- Grows with every hold: a sign of life while Redis does not answer.
  revision    bigint NOT NULL DEFAULT 1,
  registered  timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX node_living ON node (node_id) WHERE NOT dead;
