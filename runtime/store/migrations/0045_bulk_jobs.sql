-- Changes of many instances, one after the other. A node of an older release runs none.
CREATE TABLE bulk_job (
  id         text PRIMARY KEY,
  position   bigint GENERATED ALWAYS AS IDENTITY,
  action     text NOT NULL,
  -- JSON: tags to add and to remove.
  tags       text NOT NULL,
  -- JSON; null when ids were given.
  filter     text,
  -- SHA-256 of the change and its instances, in hex.
  digest     text NOT NULL,
  per_minute integer NOT NULL,
  -- `running`, `done`, `cancelled`
  state      text NOT NULL,
  count      integer NOT NULL,
  done       integer NOT NULL DEFAULT 0,
  skipped    integer NOT NULL DEFAULT 0,
  failed     integer NOT NULL DEFAULT 0,
  -- Name of the administrator's token in the audit log, and the pass of the call; empty when there was none.
  actor      text NOT NULL,
  pass       text NOT NULL,
  -- Random, of the run that drives the job. Another run that takes over makes the former one stop.
  runner     text,
  node       text NOT NULL DEFAULT '',
  created    timestamptz NOT NULL DEFAULT clock_timestamp(),
  started    timestamptz,
  ended      timestamptz
);
CREATE UNIQUE INDEX bulk_job_position ON bulk_job (position);
CREATE INDEX bulk_job_running ON bulk_job (id) WHERE state = 'running';

-- The instances of each job. They outlive their instance: the column is not named `instance_id`, since deletions shall leave a record.
CREATE TABLE bulk_target (
  job_id   text NOT NULL,
  position integer NOT NULL,
  target   text NOT NULL,
  -- `waiting`, `begun`, `done`, `skipped`, `failed`
  state    text NOT NULL DEFAULT 'waiting',
  code     text NOT NULL DEFAULT '',
  reason   text NOT NULL DEFAULT '',
  attempts smallint NOT NULL DEFAULT 0,
  -- The next attempt is not made before then.
  due      timestamptz,
  -- Time of the first attempt.
  begun    timestamptz,
  ended    timestamptz,
  PRIMARY KEY (job_id, position)
);
CREATE INDEX bulk_target_waiting ON bulk_target (job_id, position) WHERE state = 'waiting';
CREATE INDEX bulk_target_begun ON bulk_target (job_id) WHERE state = 'begun';
CREATE INDEX bulk_target_failed ON bulk_target (job_id, position) WHERE state = 'failed';
