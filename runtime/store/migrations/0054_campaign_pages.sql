-- Pages of recipients who were left out, and of those that are parked, in the order of the list. Recipients who were left out get a place of
-- their own; nodes of 0.1.0 have no campaigns.
CREATE INDEX campaign_recipient_skipped ON campaign_recipient (instance_id, folder_id, ordinal) WHERE place = 4;
CREATE INDEX campaign_recipient_parked_in_order ON campaign_recipient (instance_id, folder_id, ordinal) WHERE place = 2;
UPDATE campaign_recipient SET place = 4 WHERE status = 21;
