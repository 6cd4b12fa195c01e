-- Messages and deliveries of each node, in windows of five minutes, for eight days. A node writes no row for a window in which nothing
-- happened. Nodes of the former release write none.
CREATE TABLE traffic (
  -- Beginning of the window, by the clock of PostgreSQL.
  at        timestamptz NOT NULL,
  node      text NOT NULL,
  sent      integer NOT NULL,
  received  integer NOT NULL,
  failed    integer NOT NULL,
  delivered integer NOT NULL,
  -- How long the calls of webhooks took that were taken: steps of the scale (runtime/store/delay-scale.ts), and how many calls each has.
  steps     smallint[] NOT NULL,
  counts    integer[] NOT NULL,
  -- A restart makes a second row of a window. So does a timer that was late.
  part      text NOT NULL,
  PRIMARY KEY (at, node, part)
);
