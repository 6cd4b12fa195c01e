-- Turns of agents: one answer of an agent to the messages of a chat. Nodes of former releases open none and go on with none. Rows live as long
-- as their instance, also when such a node deletes it.
CREATE TABLE agent_turn (
  instance_id    text NOT NULL REFERENCES instance (id) ON DELETE CASCADE,
  -- `r` and 14 hex digits.
  id             text NOT NULL,
  -- Order in which turns were opened.
  position       bigint GENERATED ALWAYS AS IDENTITY,
  chat_id        bigint NOT NULL,
  -- waiting, preparing, asking, calling, replying; ended: done, skipped, cancelled, failed
  state          text NOT NULL DEFAULT 'waiting',
  -- Why it ended otherwise than `done`, as one word, and a sentence for the owner of the agent.
  reason         text NOT NULL DEFAULT '',
  error          text NOT NULL DEFAULT '',
  trigger_id     text NOT NULL DEFAULT '',
  agent_id       text NOT NULL DEFAULT '',
  -- Arrival of its first message and of its last one. Later messages put it off until a minute after the first.
  first_at       timestamptz NOT NULL DEFAULT now(),
  last_at        timestamptz NOT NULL DEFAULT now(),
  -- The owner of the instance looks at it then: to begin, or to try again.
  due_at         timestamptz NOT NULL,
  -- An answer that is not under way by then is too late.
  answer_by      timestamptz,
  -- Places of its messages among those of the instance.
  first_position bigint NOT NULL,
  last_position  bigint NOT NULL,
  -- Failed calls of the model in a row.
  attempt        integer NOT NULL DEFAULT 0,
  -- Grows when a message makes it begin again. Writes of an earlier generation are dropped.
  generation     integer NOT NULL DEFAULT 1,
  -- A function with an effect was called: it does not begin again.
  has_effects    boolean NOT NULL DEFAULT false,
  -- The state that it ends in when its parts are sent.
  outcome        text NOT NULL DEFAULT 'done',
  is_fallback    boolean NOT NULL DEFAULT false,
  -- Messages that came too late for it. The next turn begins with them.
  next_due       timestamptz,
  next_first_at  timestamptz,
  next_first     bigint,
  next_last      bigint,
  tokens_in      integer NOT NULL DEFAULT 0,
  tokens_out     integer NOT NULL DEFAULT 0,
  created        timestamptz NOT NULL DEFAULT now(),
  updated        timestamptz NOT NULL DEFAULT now(),
  ended          timestamptz,
  PRIMARY KEY (instance_id, id)
);
CREATE UNIQUE INDEX agent_turn_open ON agent_turn (instance_id, chat_id) WHERE ended IS NULL;
CREATE INDEX agent_turn_due ON agent_turn (instance_id, due_at) WHERE ended IS NULL;
CREATE INDEX agent_turn_newest ON agent_turn (instance_id, position DESC);
CREATE INDEX agent_turn_of_chat ON agent_turn (instance_id, chat_id, created DESC);
CREATE INDEX agent_turn_ended ON agent_turn USING brin (ended);

-- Answers of the model in a turn, in their order.
CREATE TABLE agent_step (
  instance_id text NOT NULL REFERENCES instance (id) ON DELETE CASCADE,
  turn_id     text NOT NULL,
  generation  integer NOT NULL,
  number      integer NOT NULL,
  text        text NOT NULL DEFAULT '',
  -- JSON of the functions that the model wants called.
  calls       text NOT NULL DEFAULT '[]',
  -- JSON that the provider wants back; null if there is none.
  raw         text,
  finish      text NOT NULL,
  tokens_in   integer NOT NULL DEFAULT 0,
  tokens_out  integer NOT NULL DEFAULT 0,
  is_estimate boolean NOT NULL DEFAULT false,
  -- JSON list of sentences.
  warnings    text NOT NULL DEFAULT '[]',
  ms          integer NOT NULL DEFAULT 0,
  created     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (instance_id, turn_id, generation, number)
);

-- The messages of an answer. Their ids are stored before the first one leaves.
CREATE TABLE agent_reply (
  instance_id text NOT NULL REFERENCES instance (id) ON DELETE CASCADE,
  turn_id     text NOT NULL,
  -- From 0.
  part        integer NOT NULL,
  text        text NOT NULL,
  messageid   text NOT NULL,
  -- planned, sent, failed, skipped
  state       text NOT NULL DEFAULT 'planned',
  error       text NOT NULL DEFAULT '',
  -- JSON for the message; only of the first part.
  ai_metadata text,
  updated     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (instance_id, turn_id, part)
);
-- By these ids other instances of the installation know an agent's message.
CREATE INDEX agent_reply_message ON agent_reply (messageid);

-- The work of an instance's agents, by UTC day.
CREATE TABLE agent_usage (
  instance_id text NOT NULL REFERENCES instance (id) ON DELETE CASCADE,
  day         date NOT NULL,
  turns       integer NOT NULL DEFAULT 0,
  -- Estimates of calls that have no answer yet, or whose answer was lost.
  reserved    bigint NOT NULL DEFAULT 0,
  tokens_in   bigint NOT NULL DEFAULT 0,
  tokens_out  bigint NOT NULL DEFAULT 0,
  -- Millionths of the currency in which the agents' prices are given.
  cost_micros bigint NOT NULL DEFAULT 0,
  -- Percentages of which an event was emitted: 0, 80 or 100.
  told        smallint NOT NULL DEFAULT 0,
  PRIMARY KEY (instance_id, day)
) WITH (fillfactor = 50);

-- What an agent's message was made of; null for all other messages.
ALTER TABLE message ADD COLUMN ai_metadata text;

-- Ends a transaction that would send a part of an answer that is not to be sent any more.
CREATE FUNCTION agent_refuse(turn text, part integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'Part % of turn % is not to be sent any more.', part, turn;
END $$;
