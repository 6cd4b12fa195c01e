-- Cost of the calls of the model, in millionths of the currency in which the prices of the agent are given.
ALTER TABLE agent_turn ADD COLUMN cost_micros bigint NOT NULL DEFAULT 0;
