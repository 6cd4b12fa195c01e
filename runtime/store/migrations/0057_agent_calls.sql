-- Calls of agents' tools. The row is written before the call is made, so that a crash cannot hide that a function may have been called.
CREATE TABLE agent_call (
  instance_id text NOT NULL,
  turn_id     text NOT NULL,
  -- A turn that begins anew makes other calls.
  generation  integer NOT NULL,
  -- Number of the model's answer in the turn, and of the call in it, from 0.
  step        integer NOT NULL,
  call        integer NOT NULL,
  -- As the model named it.
  name        text NOT NULL,
  -- JSON; null until the call has ended.
  result      text,
  created     timestamptz NOT NULL DEFAULT now(),
  updated     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (instance_id, turn_id, generation, step, call)
);
CREATE INDEX agent_call_age ON agent_call USING brin (updated);

-- True if the function may be called again after a call whose outcome was lost.
ALTER TABLE agent_function ADD COLUMN retry_safe boolean NOT NULL DEFAULT false;
