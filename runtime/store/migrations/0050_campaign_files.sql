-- The campaign under whose id the files of a campaign are stored; empty if it is the campaign itself. A copy sends the files of another one,
-- and a copy of the copy as well. Nodes of 0.1.0 and 0.2.0 do not know campaigns.
ALTER TABLE campaign ADD COLUMN files_of text NOT NULL DEFAULT '';
UPDATE campaign SET files_of = source WHERE source <> '';
CREATE INDEX campaign_files ON campaign (instance_id, files_of) WHERE files_of <> '';
