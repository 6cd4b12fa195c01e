-- Lists of recipients whose import has not ended. Their recipients have the id of a campaign that is created when all of them are there.
CREATE TABLE campaign_import (
  instance_id     text NOT NULL,
  folder_id       text NOT NULL,
  idempotency_key text,
  request_hash    text NOT NULL,
  -- Lines up to this one are stored. -1: the import is being deleted.
  last_line       integer NOT NULL DEFAULT 0,
  count           integer NOT NULL DEFAULT 0,
  duplicates      integer NOT NULL DEFAULT 0,
  opted_out       integer NOT NULL DEFAULT 0,
  recent          integer NOT NULL DEFAULT 0,
  updated         timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (instance_id, folder_id)
);
CREATE UNIQUE INDEX campaign_import_key ON campaign_import (instance_id, idempotency_key) WHERE idempotency_key IS NOT NULL;

-- IANA name of the zone of the recipient's list; null if it has none. Nodes of 0.1.0 have no campaigns.
ALTER TABLE campaign_recipient ADD COLUMN timezone text;
