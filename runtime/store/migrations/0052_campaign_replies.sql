-- The recipient of the last message that a person got of a campaign, until the person replies. Nodes of former releases count no replies.
ALTER TABLE campaign_contact ADD COLUMN folder_id text, ADD COLUMN ordinal integer;
-- The person wrote after the message.
ALTER TABLE campaign_recipient ADD COLUMN replied_at timestamptz;
ALTER TABLE campaign_progress ADD COLUMN replied integer NOT NULL DEFAULT 0;
CREATE INDEX campaign_recipient_replied ON campaign_recipient (instance_id, folder_id, ordinal) WHERE replied_at IS NOT NULL;
