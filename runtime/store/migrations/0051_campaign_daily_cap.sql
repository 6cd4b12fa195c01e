-- Maximum of messages of a campaign in a day of its time zone; null: none. Nodes of former releases send on beyond it.
ALTER TABLE campaign ADD COLUMN daily_cap integer, ADD COLUMN timezone text NOT NULL DEFAULT 'UTC';
-- The messages of one day, and the number of that day since 1970.
ALTER TABLE campaign_progress ADD COLUMN day integer NOT NULL DEFAULT 0, ADD COLUMN day_taken integer NOT NULL DEFAULT 0;
