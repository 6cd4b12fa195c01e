-- The newest times at which a person got a message of a campaign, at most ten. Nodes of former releases leave it as it is.
ALTER TABLE campaign_contact ADD COLUMN recent timestamptz[] NOT NULL DEFAULT '{}';
