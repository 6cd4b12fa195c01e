-- Time for which the last message of a campaign waited because its node was busy. It is written with the message.
ALTER TABLE campaign_progress ADD COLUMN node_wait_ms integer NOT NULL DEFAULT 0;
