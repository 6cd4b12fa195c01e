-- Whether the events of a webhook have `ai_metadata`, which holds prompts. A node of the former release leaves it out.
ALTER TABLE webhook ADD COLUMN include_ai_metadata boolean NOT NULL DEFAULT false;
