-- Work of the whole cluster, a row for each kind: when its next run is due, and how the last one ended. Bull says who runs it; this table says
-- whether it is due, so that a job that Redis lost is made again. `due` is 'infinity' for work that is only done on request.
CREATE TABLE cluster_job (
  name text PRIMARY KEY,
  due timestamptz NOT NULL,
  started timestamptz,
  ended timestamptz,
  node text,
  failure text,
  result jsonb
);
