-- The whole store of the first version. Every table of an instance's data starts its key with the instance, so that one
-- instance's rows lie together. No foreign keys to `instance`: each would cost a look-up and a row lock per inserted row on the
-- hottest path; deleting an instance deletes from every table by hand (instance-deletion.ts).

-- Facts about the installation: its id and a value that only the right ENCRYPTION_KEY opens.
CREATE TABLE meta (
  key   text PRIMARY KEY,
  value text NOT NULL
);

-- The truth about ownership: one row per virtual shard. A new owner raises the epoch; every durable write of an actor takes
-- FOR SHARE on its row and compares.
CREATE TABLE shard_owner (
  shard   smallint PRIMARY KEY,
  owner   text,
  epoch   bigint NOT NULL DEFAULT 0,
  updated timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);
INSERT INTO shard_owner (shard) SELECT generate_series(0, 255);

CREATE TABLE instance (
  id                     text PRIMARY KEY,
  -- A short name for lanes of events that belong to no chat (lane = -number).
  number                 bigint GENERATED ALWAYS AS IDENTITY,
  name                   text NOT NULL,
  system_name            text NOT NULL DEFAULT '',
  admin_field_01         text NOT NULL DEFAULT '',
  admin_field_02         text NOT NULL DEFAULT '',
  -- SHA-256 of the token; the token itself is not kept.
  token_hash             bytea NOT NULL,
  status                 text NOT NULL DEFAULT 'disconnected',
  -- The epoch under which `status` was written: under another it says nothing.
  status_epoch           bigint NOT NULL DEFAULT 0,
  desired_connected      boolean NOT NULL DEFAULT false,
  owner_jid              text,
  owner_lid              text,
  profile_name           text NOT NULL DEFAULT '',
  profile_pic_url        text NOT NULL DEFAULT '',
  is_business            boolean NOT NULL DEFAULT false,
  platform               text NOT NULL DEFAULT '',
  last_disconnect        timestamptz,
  last_disconnect_reason text NOT NULL DEFAULT '',
  last_activity_at       timestamptz,
  created                timestamptz NOT NULL DEFAULT now(),
  updated                timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 70);
CREATE UNIQUE INDEX instance_token_hash ON instance (token_hash);

-- Instances whose rows are still being deleted (instance-deletion.ts); ids are never used again.
CREATE TABLE deleted_instance (
  id text PRIMARY KEY
);

-- The last sequence given to an event of the instance. Apart from `instance`, because it changes with every event and a narrow
-- row is rewritten in place (HOT).
CREATE TABLE event_sequence (
  instance_id text PRIMARY KEY,
  last        bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

-- Encrypted (encryption.ts); the key's id is in the first bytes of `data`.
CREATE TABLE instance_credentials (
  instance_id text PRIMARY KEY,
  data        bytea NOT NULL,
  updated     timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 70);

CREATE TABLE signal_key (
  instance_id text NOT NULL,
  kind        text NOT NULL,
  id          text NOT NULL,
  data        bytea NOT NULL,
  PRIMARY KEY (instance_id, kind, id)
) WITH (fillfactor = 75);

-- Columns are spelled as the fields of the chat record. `id` survives the merge of a LID's chat with its number's.
-- No index on what a message moves (unread count, last message), so that these updates stay HOT.
CREATE TABLE chat (
  instance_id                  text NOT NULL,
  id                           bigint GENERATED ALWAYS AS IDENTITY,
  "wa_chatid"                  text NOT NULL,
  "wa_chatlid"                 text NOT NULL DEFAULT '',
  "name"                       text NOT NULL DEFAULT '',
  "image"                      text NOT NULL DEFAULT '',
  "imagePreview"               text NOT NULL DEFAULT '',
  "phone"                      text NOT NULL DEFAULT '',
  "wa_archived"                boolean NOT NULL DEFAULT false,
  "wa_contactName"             text NOT NULL DEFAULT '',
  "wa_name"                    text NOT NULL DEFAULT '',
  "wa_ephemeralExpiration"     bigint NOT NULL DEFAULT 0,
  "wa_isBlocked"               boolean NOT NULL DEFAULT false,
  "wa_isGroup"                 boolean NOT NULL DEFAULT false,
  "wa_isGroup_admin"           boolean NOT NULL DEFAULT false,
  "wa_isGroup_announce"        boolean NOT NULL DEFAULT false,
  "wa_isGroup_community"       boolean NOT NULL DEFAULT false,
  "wa_isGroup_member"          boolean NOT NULL DEFAULT false,
  "wa_isPinned"                boolean NOT NULL DEFAULT false,
  "wa_label"                   text NOT NULL DEFAULT '[]',
  "wa_lastMessageTextVote"     text NOT NULL DEFAULT '',
  "wa_lastMessageType"         text NOT NULL DEFAULT '',
  "wa_lastMsgTimestamp"        bigint NOT NULL DEFAULT 0,
  "wa_lastMessageSender"       text NOT NULL DEFAULT '',
  "wa_muteEndTime"             bigint NOT NULL DEFAULT 0,
  "wa_unreadCount"             bigint NOT NULL DEFAULT 0,
  "wa_common_groups"           text NOT NULL DEFAULT '',
  "lead_name"                  text NOT NULL DEFAULT '',
  "lead_fullName"              text NOT NULL DEFAULT '',
  "lead_email"                 text NOT NULL DEFAULT '',
  "lead_personalid"            text NOT NULL DEFAULT '',
  "lead_status"                text NOT NULL DEFAULT '',
  "lead_tags"                  text NOT NULL DEFAULT '',
  "lead_notes"                 text NOT NULL DEFAULT '',
  "lead_isTicketOpen"          boolean NOT NULL DEFAULT false,
  "lead_assignedAttendant_id"  text NOT NULL DEFAULT '',
  "lead_kanbanOrder"           bigint NOT NULL DEFAULT 0,
  "lead_field01" text NOT NULL DEFAULT '', "lead_field02" text NOT NULL DEFAULT '',
  "lead_field03" text NOT NULL DEFAULT '', "lead_field04" text NOT NULL DEFAULT '',
  "lead_field05" text NOT NULL DEFAULT '', "lead_field06" text NOT NULL DEFAULT '',
  "lead_field07" text NOT NULL DEFAULT '', "lead_field08" text NOT NULL DEFAULT '',
  "lead_field09" text NOT NULL DEFAULT '', "lead_field10" text NOT NULL DEFAULT '',
  "lead_field11" text NOT NULL DEFAULT '', "lead_field12" text NOT NULL DEFAULT '',
  "lead_field13" text NOT NULL DEFAULT '', "lead_field14" text NOT NULL DEFAULT '',
  "lead_field15" text NOT NULL DEFAULT '', "lead_field16" text NOT NULL DEFAULT '',
  "lead_field17" text NOT NULL DEFAULT '', "lead_field18" text NOT NULL DEFAULT '',
  "lead_field19" text NOT NULL DEFAULT '', "lead_field20" text NOT NULL DEFAULT '',
  "chatbot_agentResetMemoryAt" bigint NOT NULL DEFAULT 0,
  "chatbot_lastTrigger_id"     text NOT NULL DEFAULT '',
  "chatbot_lastTriggerAt"      bigint NOT NULL DEFAULT 0,
  "chatbot_disableUntil"       bigint NOT NULL DEFAULT 0,
  created                      timestamptz NOT NULL DEFAULT now(),
  updated                      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (instance_id, id)
) WITH (fillfactor = 70);

-- Every JID by which a chat is known: number, LID, or group.
CREATE TABLE chat_alias (
  instance_id text NOT NULL,
  jid         text NOT NULL,
  chat_id     bigint NOT NULL,
  PRIMARY KEY (instance_id, jid)
);
CREATE INDEX chat_alias_chat ON chat_alias (instance_id, chat_id);

-- 1 queued, 2 pending, 0 neither. Its own column, because an index condition on `status` would make every receipt move index
-- entries of the row; this way only the end of the send does.
CREATE FUNCTION message_outbox(status text, sent_by_api boolean) RETURNS smallint
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN NOT sent_by_api THEN 0 WHEN status = 'queued' THEN 1 WHEN status = 'pending' THEN 2 ELSE 0 END;

-- A status moves only to a higher rank; the last three end it.
CREATE FUNCTION message_status_rank(status text) RETURNS integer
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE status WHEN 'queued' THEN 1 WHEN 'pending' THEN 2 WHEN 'sent' THEN 3 WHEN 'delivered' THEN 4
    WHEN 'read' THEN 5 WHEN 'played' THEN 6 ELSE 100 END;

CREATE TABLE message (
  instance_id        text NOT NULL,
  id                 text NOT NULL,
  position           bigint GENERATED ALWAYS AS IDENTITY,
  chat_id            bigint NOT NULL,
  "messageid"        text NOT NULL,
  "fromMe"           boolean NOT NULL,
  "isGroup"          boolean NOT NULL,
  "messageType"      text NOT NULL,
  "mediaType"        text NOT NULL DEFAULT '',
  "type"             text NOT NULL DEFAULT '',
  "messageTimestamp" bigint NOT NULL,
  "sender"           text NOT NULL,
  "sender_pn"        text NOT NULL DEFAULT '',
  "sender_lid"       text NOT NULL DEFAULT '',
  "senderName"       text NOT NULL DEFAULT '',
  "source"           text NOT NULL DEFAULT '',
  "status"           text NOT NULL,
  "text"             text NOT NULL DEFAULT '',
  "quoted"           text NOT NULL DEFAULT '',
  "reaction"         text NOT NULL DEFAULT '',
  "edited"           text NOT NULL DEFAULT '',
  "vote"             text NOT NULL DEFAULT '',
  "buttonOrListid"   text NOT NULL DEFAULT '',
  "convertOptions"   text NOT NULL DEFAULT '',
  "fileURL"          text NOT NULL DEFAULT '',
  -- JSON as text: it is never searched, and jsonb refuses what a chat may hold (\u0000, half surrogates).
  "content"          text NOT NULL DEFAULT 'null',
  "track_source"     text NOT NULL DEFAULT '',
  "track_id"         text NOT NULL DEFAULT '',
  "wasSentByApi"     boolean NOT NULL DEFAULT false,
  "sendFunction"     text NOT NULL DEFAULT '',
  "error"            text NOT NULL DEFAULT '',
  "provider_code"    integer,
  -- The encoded proto.Message, encrypted.
  proto              bytea,
  queued_request     text,
  idempotency_key    text,
  request_hash       text,
  outbox             smallint NOT NULL GENERATED ALWAYS AS (message_outbox("status", "wasSentByApi")) STORED,
  created            timestamptz NOT NULL DEFAULT now(),
  updated            timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (instance_id, id)
) WITH (fillfactor = 85);
CREATE UNIQUE INDEX message_identity ON message (instance_id, "messageid", chat_id, "fromMe");
CREATE INDEX message_of_chat ON message (instance_id, chat_id, "messageTimestamp" DESC, position DESC);
CREATE INDEX message_of_instance ON message (instance_id, "messageTimestamp" DESC, position DESC);
CREATE INDEX message_outbox_order ON message (instance_id, outbox, position) WHERE outbox > 0;
CREATE UNIQUE INDEX message_idempotency ON message (instance_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX message_track ON message (instance_id, "track_id") WHERE "track_id" <> '';
CREATE INDEX message_track_source ON message (instance_id, "track_source") WHERE "track_source" <> '';
-- For retention: rows arrive in the order of `created`, so that a block range index is enough and costs nothing.
CREATE INDEX message_created ON message USING brin (created);

CREATE TABLE contact (
  instance_id          text NOT NULL,
  -- The number's JID when known, else the LID.
  jid                  text NOT NULL,
  lid                  text NOT NULL DEFAULT '',
  "contact_name"       text NOT NULL DEFAULT '',
  "contact_FirstName"  text NOT NULL DEFAULT '',
  push_name            text NOT NULL DEFAULT '',
  created              timestamptz NOT NULL DEFAULT now(),
  updated              timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (instance_id, jid)
);

CREATE TABLE lid_mapping (
  instance_id text NOT NULL,
  lid         text NOT NULL,
  pn          text NOT NULL,
  updated     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (instance_id, lid)
);
CREATE INDEX lid_mapping_pn ON lid_mapping (instance_id, pn);

-- `sequence` is gapless per instance; `position` is the cursor over all instances.
-- `body` is JSON as text without envelope, fields with their default value left out (events.ts).
CREATE TABLE event (
  instance_id text NOT NULL,
  sequence    bigint NOT NULL,
  position    bigint GENERATED ALWAYS AS IDENTITY,
  event_id    uuid NOT NULL,
  kind        text NOT NULL,
  chat_id     bigint,
  -- Bits for excludeMessages: 1 sent by the API, 2 from me, 4 group. Null when the event is no message.
  flags       smallint,
  body        text NOT NULL,
  created     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (instance_id, sequence)
);
CREATE UNIQUE INDEX event_position ON event (position);
CREATE INDEX event_created ON event USING brin (created);

-- instance_id is null for global webhooks.
CREATE TABLE webhook (
  id                     uuid PRIMARY KEY,
  instance_id            text,
  enabled                boolean NOT NULL DEFAULT false,
  url                    text NOT NULL,
  events                 text[] NOT NULL,
  exclude_messages       text[] NOT NULL DEFAULT '{}',
  add_url_events         boolean NOT NULL DEFAULT false,
  add_url_types_messages boolean NOT NULL DEFAULT false,
  -- Encrypted.
  secret                 bytea NOT NULL,
  created                timestamptz NOT NULL DEFAULT now(),
  updated                timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX webhook_instance ON webhook (instance_id);

-- What is still to be delivered, in order within a lane (a webhook and a chat: the chat's id; events of no chat: minus the
-- instance's number). A delivered row is deleted, a dead one moves to dead_letter; so the table is as small as the backlog.
CREATE TABLE delivery (
  webhook_id      uuid NOT NULL,
  lane            bigint NOT NULL,
  position        bigint NOT NULL,
  instance_id     text NOT NULL,
  attempts        integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT now(),
  last_error      text NOT NULL DEFAULT '',
  created         timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (webhook_id, lane, position)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

CREATE TABLE dead_letter (
  webhook_id  uuid NOT NULL,
  position    bigint NOT NULL,
  lane        bigint NOT NULL,
  instance_id text NOT NULL,
  attempts    integer NOT NULL,
  last_error  text NOT NULL,
  created     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (webhook_id, position)
);

-- The newest failed attempts of each webhook, bounded in number and size by the writer.
CREATE TABLE webhook_error (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  webhook_id   uuid NOT NULL,
  instance_id  text,
  url          text NOT NULL,
  event        text NOT NULL,
  message_type text NOT NULL,
  status_code  integer NOT NULL,
  attempts     integer NOT NULL,
  error        text NOT NULL,
  payload      text NOT NULL,
  created      timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX webhook_error_webhook ON webhook_error (webhook_id, id DESC);
