-- Campaigns of an instance ("folders" of the API), their counters, and their recipients. Nodes of 0.1.0 do not know them: an instance that
-- one of those owns sends nothing of its campaigns until a newer node owns it.
CREATE TABLE campaign (
  instance_id     text NOT NULL,
  -- `r` and 14 hex digits.
  id              text NOT NULL,
  -- The name that people see.
  folder          text NOT NULL,
  -- The name in lower case while the campaign is unfinished, if its caller chose one; two unfinished ones cannot share it.
  unique_name     text,
  info            text NOT NULL DEFAULT '',
  -- scheduled, sending, paused, done, deleting
  status          text NOT NULL DEFAULT 'scheduled',
  -- Why it is paused, as one word; empty otherwise.
  reason          text NOT NULL DEFAULT '',
  -- Why it cannot send now although it is not paused, and until when, if that is known.
  hold_reason     text NOT NULL DEFAULT '',
  hold_until      timestamptz,
  -- A campaign in `deleting` of which nothing stays, neither what was sent.
  clears          boolean NOT NULL DEFAULT false,
  -- JSON of the content and the options of its sends; null if each recipient has its own.
  template        text,
  -- JSON of the texts to choose from, with their weights; null without variants.
  variants        text,
  -- JSON of further options.
  options         text NOT NULL DEFAULT '{}',
  delay_min_ms    integer NOT NULL,
  delay_max_ms    integer NOT NULL,
  -- Not before then.
  scheduled_at    timestamptz NOT NULL,
  -- JID of the account that sends it: another one never goes on with it.
  own_account     text NOT NULL DEFAULT '',
  -- The campaign whose recipients it repeats; empty if there is none.
  source          text NOT NULL DEFAULT '',
  idempotency_key text,
  request_hash    text,
  created         timestamptz NOT NULL DEFAULT now(),
  updated         timestamptz NOT NULL DEFAULT now(),
  started         timestamptz,
  ended           timestamptz,
  PRIMARY KEY (instance_id, id)
);
-- What a node looks at: campaigns that wait, send, or are being deleted.
CREATE INDEX campaign_active ON campaign (instance_id, scheduled_at) WHERE status IN ('scheduled', 'sending', 'deleting');
CREATE INDEX campaign_newest ON campaign (instance_id, created DESC, id);
CREATE UNIQUE INDEX campaign_name ON campaign (instance_id, unique_name) WHERE unique_name IS NOT NULL;
CREATE UNIQUE INDEX campaign_idempotency ON campaign (instance_id, idempotency_key) WHERE idempotency_key IS NOT NULL;

-- The counters of a campaign. They change with each send and each receipt, so this table has no index but its key and room on each page: every
-- update stays within its page.
CREATE TABLE campaign_progress (
  instance_id  text NOT NULL,
  folder_id    text NOT NULL,
  -- The next send leaves at this time at the earliest, whichever node owns the instance by then.
  next_at      timestamptz,
  -- Recipients up to this ordinal are not waiting any more.
  last_ordinal integer NOT NULL DEFAULT -1,
  total        integer NOT NULL DEFAULT 0,
  -- With a message that the network has not answered.
  taken        integer NOT NULL DEFAULT 0,
  parked       integer NOT NULL DEFAULT 0,
  -- Cumulative: one that was read also counts as delivered and as sent.
  sent         integer NOT NULL DEFAULT 0,
  delivered    integer NOT NULL DEFAULT 0,
  "read"       integer NOT NULL DEFAULT 0,
  played       integer NOT NULL DEFAULT 0,
  failed       integer NOT NULL DEFAULT 0,
  skipped      integer NOT NULL DEFAULT 0,
  -- Removed by `delete` before they were sent.
  deleted      integer NOT NULL DEFAULT 0,
  PRIMARY KEY (instance_id, folder_id)
) WITH (fillfactor = 50);

CREATE TABLE campaign_recipient (
  instance_id   text NOT NULL,
  folder_id     text NOT NULL,
  -- Dense from 0, in the order of the request.
  ordinal       integer NOT NULL,
  -- JID.
  address       text NOT NULL,
  -- 1 waiting, 2 parked, 3 failed, 0 anything else: the only column besides the key that indexes look at.
  place         smallint NOT NULL DEFAULT 1,
  -- 0 waiting, 1 taken, 2 sent, 3 delivered, 4 read, 5 played, 20 failed, 21 skipped
  status        smallint NOT NULL DEFAULT 0,
  attempts      smallint NOT NULL DEFAULT 0,
  -- Of one that is parked: looked at again then.
  due_at        timestamptz,
  messageid     text,
  -- JSON of its own content and options; null if those of the campaign hold.
  content       text,
  -- JSON of its own values of placeholders.
  vars          text,
  variant       smallint,
  -- The address by which double entries are found; null if they are wanted.
  dedupe_key    text,
  -- One word, a sentence, and the network's code, if it failed or was skipped.
  reason        text,
  error         text,
  provider_code integer,
  updated       timestamptz,
  PRIMARY KEY (instance_id, folder_id, ordinal)
) WITH (fillfactor = 85);
CREATE INDEX campaign_recipient_waiting ON campaign_recipient (instance_id, folder_id, ordinal) WHERE place = 1;
CREATE INDEX campaign_recipient_parked ON campaign_recipient (instance_id, folder_id, due_at, ordinal) WHERE place = 2;
CREATE INDEX campaign_recipient_failed ON campaign_recipient (instance_id, folder_id, ordinal) WHERE place = 3;
CREATE UNIQUE INDEX campaign_recipient_once ON campaign_recipient (instance_id, folder_id, dedupe_key) WHERE dedupe_key IS NOT NULL;

-- Ends a transaction that would send to a recipient who is not waiting any more. Its writer then reads the recipients again.
CREATE FUNCTION campaign_refuse(folder text, ordinal integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'Recipient % of campaign % is not waiting any more.', ordinal, folder;
END $$;
