-- People to whom campaigns of an instance send nothing. `address` is a number's JID, with the ninth digit of Brazilian mobile numbers, or a LID
-- whose number is not known. Nodes of former releases have no campaigns.
CREATE TABLE suppression (
  instance_id text NOT NULL,
  address     text NOT NULL,
  -- Words of the caller, or the word by which the person opted out.
  reason      text NOT NULL DEFAULT '',
  source      text NOT NULL,
  created     timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Null: no end.
  until       timestamptz,
  PRIMARY KEY (instance_id, address)
);
CREATE INDEX suppression_until ON suppression (until) WHERE until IS NOT NULL;

-- People who got a message of a campaign, under the same addresses. It changes with each send of a campaign, so only the key has an index.
CREATE TABLE campaign_contact (
  instance_id text NOT NULL,
  address     text NOT NULL,
  last_at     timestamptz NOT NULL,
  PRIMARY KEY (instance_id, address)
) WITH (fillfactor = 85);

-- Words by which people opt out of campaigns, one in a line. Empty: the default ones; a line break alone: none.
ALTER TABLE instance ADD COLUMN opt_out_words text NOT NULL DEFAULT '';
