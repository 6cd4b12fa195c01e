-- Calls besides turns (vectors, transcriptions, trials) count in the day's budget too, and not only the owner of the instance makes them.
-- `to_tell`: percentage of the budget of which the owner is to emit an event.
ALTER TABLE agent_usage ADD COLUMN to_tell smallint NOT NULL DEFAULT 0;
-- Prices of a million tokens, in millionths of the currency in which the agents' prices are given.
ALTER TABLE chatbot_settings
  ADD COLUMN embedding_price_micros bigint NOT NULL DEFAULT 0,
  ADD COLUMN transcription_price_micros bigint NOT NULL DEFAULT 0;
