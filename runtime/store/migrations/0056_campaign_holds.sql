-- The network's last answers to messages of a campaign, by which it stops at too many refusals: `0` taken, `1` refused.
ALTER TABLE campaign_progress ADD COLUMN recent text NOT NULL DEFAULT '';
-- Parked recipients of one person: what is behind them in the list waits, and they leave when the person writes.
CREATE INDEX campaign_recipient_parked_person ON campaign_recipient (instance_id, folder_id, address) WHERE place = 2;
