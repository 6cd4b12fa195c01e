-- Vectors of knowledge from the server at an agent's `base_url`. Nodes of the former release make none there, and leave the columns alone.
ALTER TABLE agent
  -- Empty: the usual one of the provider.
  ADD COLUMN embedding_model      text NOT NULL DEFAULT '',
  -- Length of the vectors of that server; 0: not asked yet.
  ADD COLUMN embedding_dimensions integer NOT NULL DEFAULT 0,
  -- Why that server makes no vectors; empty: it makes some, or was not asked yet. It is not asked again until the agent is edited.
  ADD COLUMN embedding_error      text NOT NULL DEFAULT '';

-- The call of a model that a turn has under way, so that its reservation ends with it also when its node ends in the middle. Nodes of the
-- former release leave the columns alone: what they reserve for a call that is lost stays reserved until midnight.
ALTER TABLE agent_turn
  -- Empty: there was none.
  ADD COLUMN asked_call     text NOT NULL DEFAULT '',
  ADD COLUMN asked_day      date,
  -- 0: the call has ended.
  ADD COLUMN asked_reserved bigint NOT NULL DEFAULT 0,
  -- What a call without an answer counts: its input, by an estimate.
  ADD COLUMN asked_tokens   bigint NOT NULL DEFAULT 0,
  ADD COLUMN asked_cost     bigint NOT NULL DEFAULT 0;
CREATE INDEX agent_turn_asked ON agent_turn (instance_id) WHERE asked_reserved > 0;

-- `number_in_use_since` of a pairing that has begun. It becomes `in_use_since` when the phone has scanned.
ALTER TABLE send_pacer ADD COLUMN offered_since timestamptz;
