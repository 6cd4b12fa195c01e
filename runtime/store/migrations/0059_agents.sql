-- Settings of the chatbot, agents and their triggers. Rows live as long as their instance, also when a node of the former release, which does
-- not know the tables, deletes the instance.
CREATE TABLE chatbot_settings (
  instance_id     text PRIMARY KEY REFERENCES instance (id) ON DELETE CASCADE,
  enabled         boolean NOT NULL DEFAULT false,
  ignore_groups   boolean NOT NULL DEFAULT false,
  -- Word by which a contact stops the chatbot; empty: none.
  stop_word       text NOT NULL DEFAULT '',
  stop_minutes    integer NOT NULL DEFAULT 0,
  -- Minutes of silence after a message that was sent outside the API; 0: none.
  own_message_minutes integer NOT NULL DEFAULT 0,
  -- Sealed; null: none. The mask shows how the key begins and ends.
  openai_key      bytea,
  openai_key_mask text NOT NULL DEFAULT ''
);

CREATE TABLE agent (
  instance_id          text NOT NULL REFERENCES instance (id) ON DELETE CASCADE,
  id                   text NOT NULL,
  name                 text NOT NULL,
  provider             text NOT NULL,
  model                text NOT NULL,
  -- Sealed; null: none.
  apikey               bytea,
  apikey_mask          text NOT NULL,
  -- Empty: the provider's own.
  base_url             text NOT NULL,
  base_prompt          text NOT NULL,
  max_tokens           integer NOT NULL,
  -- Hundredths; null: left out.
  temperature          integer,
  diversity_level      integer,
  frequency_penalty    integer,
  presence_penalty     integer,
  sign_messages        boolean NOT NULL,
  read_messages        boolean NOT NULL,
  max_message_length   integer NOT NULL,
  typing_delay_seconds integer NOT NULL,
  context_hours        integer NOT NULL,
  context_messages_max integer NOT NULL,
  context_messages_min integer NOT NULL,
  -- Ids that it may use; null: all of the instance.
  functions            text[],
  knowledge            text[],
  fallback_message     text NOT NULL,
  -- Price of a million tokens, in millionths; null: not counted.
  input_price          bigint,
  output_price         bigint,
  -- Why it does not answer until it is edited; empty: it answers.
  blocked_reason       text NOT NULL DEFAULT '',
  created              timestamptz NOT NULL DEFAULT now(),
  updated              timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (instance_id, id)
);

CREATE TABLE agent_trigger (
  instance_id    text NOT NULL REFERENCES instance (id) ON DELETE CASCADE,
  id             text NOT NULL,
  type           text NOT NULL,
  agent_id       text NOT NULL,
  active         boolean NOT NULL,
  ignore_groups  boolean NOT NULL,
  -- Condition on the chat; empty: none.
  lead_field     text NOT NULL,
  lead_operator  text NOT NULL,
  lead_value     text NOT NULL,
  priority       integer NOT NULL,
  -- Phrases between pipes; empty: every message.
  words_to_start text NOT NULL,
  response_delay_seconds integer NOT NULL,
  -- JSON: the hours in which it answers; empty: always.
  schedule       text NOT NULL,
  created        timestamptz NOT NULL DEFAULT now(),
  updated        timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (instance_id, id),
  FOREIGN KEY (instance_id, agent_id) REFERENCES agent (instance_id, id) ON DELETE CASCADE
);
CREATE INDEX agent_trigger_agent ON agent_trigger (instance_id, agent_id);
