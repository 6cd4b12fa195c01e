-- Who asked for what that changes the installation or who may use it. Written before the call is carried out, and once more with its
-- outcome: a row without `status` is a call of which the node died. Not keyed by instance: rows outlive the instances they are about.
CREATE TABLE audit (
  position   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at         timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- `admin`, `token`, `key`, `unknown`
  actor_kind text NOT NULL,
  -- Tells tokens apart without being one.
  actor      text NOT NULL,
  address    text NOT NULL,
  method     text NOT NULL,
  route      text NOT NULL,
  operation  text NOT NULL,
  -- The instance, or whatever else the path names.
  subject    text NOT NULL,
  request_id text NOT NULL,
  node       text NOT NULL,
  status     integer,
  code       text NOT NULL DEFAULT ''
) WITH (fillfactor = 80);
CREATE INDEX audit_at ON audit (at);
CREATE INDEX audit_subject ON audit (subject, position);
