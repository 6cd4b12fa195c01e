-- True once the person's reply was counted. The row keeps its recipient, who may opt out after a first reply.
ALTER TABLE campaign_contact ADD COLUMN answered boolean NOT NULL DEFAULT false;
