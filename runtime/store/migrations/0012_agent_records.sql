-- Functions and knowledge of agents: records that callers edit, on any node; nothing acts on them yet.
CREATE TABLE agent_function (
  instance_id  text NOT NULL,
  id           text NOT NULL,
  name         text NOT NULL,
  description  text NOT NULL,
  method       text NOT NULL,
  endpoint     text NOT NULL,
  active       boolean NOT NULL,
  -- JSON as the caller gave it, which may be none.
  headers      text NOT NULL,
  body         text NOT NULL,
  -- JSON array.
  parameters   text NOT NULL,
  -- Names between commas.
  undocumented text NOT NULL,
  header_error boolean NOT NULL,
  body_error   boolean NOT NULL,
  created      timestamptz NOT NULL DEFAULT now(),
  updated      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (instance_id, id)
);
CREATE UNIQUE INDEX agent_function_name ON agent_function (instance_id, name);

CREATE TABLE knowledge (
  instance_id text NOT NULL,
  id          text NOT NULL,
  active      boolean NOT NULL,
  tittle      text NOT NULL,
  content     text NOT NULL,
  file_type   text NOT NULL,
  priority    bigint NOT NULL,
  created     timestamptz NOT NULL DEFAULT now(),
  updated     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (instance_id, id)
);
