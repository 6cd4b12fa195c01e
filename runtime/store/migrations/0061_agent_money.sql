-- Maximum that the agents of an instance spend on a UTC day, in millionths of the currency of their prices; 0: any.
ALTER TABLE chatbot_settings ADD COLUMN cost_per_day_micros bigint NOT NULL DEFAULT 0;
