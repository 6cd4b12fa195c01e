-- Work during which a node ended itself because its event loop was blocked, and how often. Twice, and the work is given up. Only the watchdog of a
-- node writes rows: a node that is killed, or loses its lease, writes none. Nodes of former releases neither write nor read them.
CREATE TABLE blocked_work (
  -- turn, job, delivery and so on
  kind        text NOT NULL,
  -- Empty for work of the whole cluster.
  instance_id text NOT NULL DEFAULT '',
  id          text NOT NULL,
  operation   text NOT NULL DEFAULT '',
  ends        integer NOT NULL DEFAULT 1,
  -- The functions that ran at the last end, the innermost first.
  stack       text NOT NULL DEFAULT '',
  at          timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (instance_id, kind, id)
);
