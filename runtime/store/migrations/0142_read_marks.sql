-- Marks by which a node finds out how far a replica is behind: it writes one about every second, and looks which of them the replica has
-- (runtime/store/read-replica.ts). No clocks are compared, and another database, or a server that nobody follows, never has the newest.
CREATE TABLE read_mark (
  node text PRIMARY KEY,
  mark text NOT NULL,
  at   timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);
