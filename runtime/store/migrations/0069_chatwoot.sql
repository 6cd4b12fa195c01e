-- Receivers of the event log that are no webhooks of the API: their rows are left out of its lists.
ALTER TABLE webhook ADD COLUMN purpose text NOT NULL DEFAULT 'webhook';

-- The Chatwoot of an instance.
CREATE TABLE chatwoot_config (
  instance_id             text PRIMARY KEY,
  webhook_id              uuid NOT NULL,
  enabled                 boolean NOT NULL,
  url                     text NOT NULL,
  account_id              bigint NOT NULL,
  inbox_id                bigint NOT NULL,
  inbox_identifier        text NOT NULL DEFAULT '',
  token_mask              text NOT NULL,
  -- Encrypted JSON: token, secret of the path, secret of signatures.
  secrets                 bytea NOT NULL,
  ignore_groups           boolean NOT NULL DEFAULT false,
  sign_messages           boolean NOT NULL DEFAULT false,
  create_new_conversation boolean NOT NULL DEFAULT false,
  -- Nothing from before is carried.
  enabled_at              timestamptz NOT NULL DEFAULT now(),
  state                   text NOT NULL DEFAULT 'ok',
  last_error              text NOT NULL DEFAULT '',
  last_sent               timestamptz,
  last_received           timestamptz,
  -- Conversations were looked at for replies that were missed.
  looked_at               timestamptz NOT NULL DEFAULT now(),
  missed                  bigint NOT NULL DEFAULT 0,
  created                 timestamptz NOT NULL DEFAULT now(),
  updated                 timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE chatwoot_chat (
  instance_id        text NOT NULL,
  chat_id            bigint NOT NULL,
  -- Names the contact in the inbox.
  source_id          text NOT NULL,
  contact_id         bigint,
  has_inbox          boolean NOT NULL DEFAULT false,
  conversation_id    bigint,
  -- A conversation was asked for, and the answer may be lost.
  is_asked           boolean NOT NULL DEFAULT false,
  -- The conversation that was resolved last, where each new one gets a number of its own.
  former_id          bigint,
  -- The newest message that we made: one whose answer was lost comes after it.
  newest_id          bigint NOT NULL DEFAULT 0,
  -- Up to this message nothing of theirs was missed.
  seen_id            bigint NOT NULL DEFAULT 0,
  phone              text NOT NULL DEFAULT '',
  name               text NOT NULL DEFAULT '',
  -- Of the chat that became this one: its contact is merged into that of the row, its conversation ends.
  merge_contact      bigint,
  merge_conversation bigint,
  PRIMARY KEY (instance_id, chat_id)
);
CREATE INDEX chatwoot_chat_conversation ON chatwoot_chat (instance_id, conversation_id);

CREATE TABLE chatwoot_message (
  instance_id     text NOT NULL,
  messageid       text NOT NULL,
  -- Null until Chatwoot has answered.
  cw_id           bigint,
  part            smallint NOT NULL DEFAULT 0,
  conversation_id bigint NOT NULL,
  -- Came from Chatwoot.
  is_reply        boolean NOT NULL,
  from_me         boolean NOT NULL,
  -- 0 none, 1 sent, 2 delivered, 3 read, 4 failed.
  told            smallint NOT NULL DEFAULT 0,
  is_deleted      boolean NOT NULL DEFAULT false,
  created         timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (instance_id, messageid)
);
CREATE UNIQUE INDEX chatwoot_message_cw ON chatwoot_message (instance_id, cw_id, part);
CREATE INDEX chatwoot_message_created ON chatwoot_message (created);

-- Webhooks of Chatwoot that wait, or failed and may be asked for again.
CREATE TABLE chatwoot_in (
  instance_id     text NOT NULL,
  cw_id           bigint NOT NULL,
  -- created, deleted or retry-n
  kind            text NOT NULL,
  conversation_id bigint NOT NULL,
  body            text NOT NULL,
  attempts        integer NOT NULL DEFAULT 0,
  next_at         timestamptz NOT NULL DEFAULT now(),
  -- It failed for good.
  is_failed       boolean NOT NULL DEFAULT false,
  created         timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (instance_id, cw_id, kind)
);
CREATE INDEX chatwoot_in_waiting ON chatwoot_in (instance_id, conversation_id, cw_id) WHERE NOT is_failed;
