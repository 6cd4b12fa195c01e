-- What a search over chats needs, so placed that a message, which moves the unread count and the last message of its chat, changes no
-- index of the wide table: those updates of `chat` stay HOT.

-- Where a chat stands in the order of the last message. A narrow row for each chat, moved by every message.
CREATE TABLE chat_activity (
  instance_id           text NOT NULL,
  chat_id               bigint NOT NULL,
  "wa_lastMsgTimestamp" bigint NOT NULL DEFAULT 0,
  is_unread             boolean NOT NULL DEFAULT false,
  PRIMARY KEY (instance_id, chat_id)
) WITH (fillfactor = 70);
INSERT INTO chat_activity (instance_id, chat_id, "wa_lastMsgTimestamp", is_unread)
  SELECT instance_id, id, "wa_lastMsgTimestamp", "wa_unreadCount" <> 0 FROM chat;
CREATE INDEX chat_activity_order ON chat_activity (instance_id, "wa_lastMsgTimestamp" DESC, chat_id DESC);
CREATE INDEX chat_activity_unread ON chat_activity (instance_id, "wa_lastMsgTimestamp" DESC, chat_id DESC) WHERE is_unread;

-- How many chats of an instance have which flags, so that totals need no look at the chats. A few dozen rows for each instance.
CREATE TABLE chat_count (
  instance_id            text NOT NULL,
  -- -1 marked as unread, 0 read, 1 some are unread.
  unread                 smallint NOT NULL,
  "wa_archived"          boolean NOT NULL,
  "wa_isBlocked"         boolean NOT NULL,
  "wa_isGroup"           boolean NOT NULL,
  "wa_isGroup_admin"     boolean NOT NULL,
  "wa_isGroup_announce"  boolean NOT NULL,
  "wa_isGroup_community" boolean NOT NULL,
  "wa_isGroup_member"    boolean NOT NULL,
  "wa_isPinned"          boolean NOT NULL,
  chats                  bigint NOT NULL,
  PRIMARY KEY (instance_id, unread, "wa_archived", "wa_isBlocked", "wa_isGroup", "wa_isGroup_admin", "wa_isGroup_announce",
    "wa_isGroup_community", "wa_isGroup_member", "wa_isPinned")
) WITH (fillfactor = 50);
INSERT INTO chat_count
  SELECT instance_id, sign("wa_unreadCount")::smallint, "wa_archived", "wa_isBlocked", "wa_isGroup", "wa_isGroup_admin", "wa_isGroup_announce",
    "wa_isGroup_community", "wa_isGroup_member", "wa_isPinned", count(*)
  FROM chat GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10;

-- Triggers, so that whoever writes a chat cannot forget them; but what every message moves, the place in the order, is written by the
-- journal with the chat, at a third of the cost. Only the owner of an instance moves what is counted, so nobody waits here.
CREATE FUNCTION chats_made() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO chat_activity (instance_id, chat_id, "wa_lastMsgTimestamp", is_unread)
    SELECT instance_id, id, "wa_lastMsgTimestamp", "wa_unreadCount" <> 0 FROM made;
  INSERT INTO chat_count AS k
    SELECT instance_id, sign("wa_unreadCount")::smallint, "wa_archived", "wa_isBlocked", "wa_isGroup", "wa_isGroup_admin", "wa_isGroup_announce",
      "wa_isGroup_community", "wa_isGroup_member", "wa_isPinned", count(*)
    FROM made GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
    ON CONFLICT ON CONSTRAINT chat_count_pkey DO UPDATE SET chats = k.chats + EXCLUDED.chats;
  RETURN NULL;
END $$;
CREATE TRIGGER chats_made AFTER INSERT ON chat REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION chats_made();

CREATE FUNCTION chats_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM chat_activity AS a USING gone WHERE a.instance_id = gone.instance_id AND a.chat_id = gone.id;
  UPDATE chat_count AS k SET chats = k.chats - g.chats
    FROM (
      SELECT instance_id, sign("wa_unreadCount")::smallint AS unread, "wa_archived", "wa_isBlocked", "wa_isGroup", "wa_isGroup_admin",
        "wa_isGroup_announce", "wa_isGroup_community", "wa_isGroup_member", "wa_isPinned", count(*) AS chats
      FROM gone GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
    ) AS g
    WHERE (k.instance_id, k.unread, k."wa_archived", k."wa_isBlocked", k."wa_isGroup", k."wa_isGroup_admin", k."wa_isGroup_announce",
        k."wa_isGroup_community", k."wa_isGroup_member", k."wa_isPinned")
      = (g.instance_id, g.unread, g."wa_archived", g."wa_isBlocked", g."wa_isGroup", g."wa_isGroup_admin", g."wa_isGroup_announce",
        g."wa_isGroup_community", g."wa_isGroup_member", g."wa_isPinned");
  RETURN NULL;
END $$;
CREATE TRIGGER chats_gone AFTER DELETE ON chat REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION chats_gone();

CREATE FUNCTION chat_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO chat_count AS k VALUES (NEW.instance_id, sign(NEW."wa_unreadCount")::smallint, NEW."wa_archived", NEW."wa_isBlocked",
      NEW."wa_isGroup", NEW."wa_isGroup_admin", NEW."wa_isGroup_announce", NEW."wa_isGroup_community", NEW."wa_isGroup_member",
      NEW."wa_isPinned", 1)
    ON CONFLICT ON CONSTRAINT chat_count_pkey DO UPDATE SET chats = k.chats + 1;
  UPDATE chat_count SET chats = chats - 1
    WHERE instance_id = OLD.instance_id AND unread = sign(OLD."wa_unreadCount")::smallint AND "wa_archived" = OLD."wa_archived"
      AND "wa_isBlocked" = OLD."wa_isBlocked" AND "wa_isGroup" = OLD."wa_isGroup" AND "wa_isGroup_admin" = OLD."wa_isGroup_admin"
      AND "wa_isGroup_announce" = OLD."wa_isGroup_announce" AND "wa_isGroup_community" = OLD."wa_isGroup_community"
      AND "wa_isGroup_member" = OLD."wa_isGroup_member" AND "wa_isPinned" = OLD."wa_isPinned";
  RETURN NULL;
END $$;
CREATE TRIGGER chat_moved AFTER UPDATE ON chat FOR EACH ROW
  WHEN ((sign(OLD."wa_unreadCount"), OLD."wa_archived", OLD."wa_isBlocked", OLD."wa_isGroup", OLD."wa_isGroup_admin",
      OLD."wa_isGroup_announce", OLD."wa_isGroup_community", OLD."wa_isGroup_member", OLD."wa_isPinned")
    IS DISTINCT FROM
    (sign(NEW."wa_unreadCount"), NEW."wa_archived", NEW."wa_isBlocked", NEW."wa_isGroup", NEW."wa_isGroup_admin",
      NEW."wa_isGroup_announce", NEW."wa_isGroup_community", NEW."wa_isGroup_member", NEW."wa_isPinned"))
  EXECUTE FUNCTION chat_moved();

-- Texts that are searched for what they contain. Trigrams come with PostgreSQL, but not with every package of it: without them the same
-- searches look at each chat of the instance.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX chat_texts ON chat USING gin (
    "name" gin_trgm_ops, "wa_name" gin_trgm_ops, "wa_contactName" gin_trgm_ops, "phone" gin_trgm_ops, "wa_chatid" gin_trgm_ops,
    "lead_name" gin_trgm_ops, "lead_fullName" gin_trgm_ops, "lead_email" gin_trgm_ops, "lead_personalid" gin_trgm_ops,
    "lead_status" gin_trgm_ops, "lead_tags" gin_trgm_ops, "lead_assignedAttendant_id" gin_trgm_ops, "wa_label" gin_trgm_ops)
    -- A list of what is still to be indexed would be read by every search.
    WITH (fastupdate = off);
EXCEPTION WHEN undefined_file OR insufficient_privilege OR feature_not_supported THEN
  RAISE NOTICE 'Without pg_trgm, searches for what texts contain are slower.';
END $$;
-- A whole JID is at the end of what contains it.
CREATE INDEX chat_jid ON chat (instance_id, reverse("wa_chatid") text_pattern_ops);
CREATE INDEX chat_lid ON chat (instance_id, reverse("wa_chatlid") text_pattern_ops);

-- What few chats are; no message moves these either.
CREATE INDEX chat_archived ON chat (instance_id) WHERE "wa_archived";
CREATE INDEX chat_blocked ON chat (instance_id) WHERE "wa_isBlocked";
CREATE INDEX chat_group ON chat (instance_id) WHERE "wa_isGroup";
CREATE INDEX chat_pinned ON chat (instance_id) WHERE "wa_isPinned";
CREATE INDEX chat_ticket ON chat (instance_id) WHERE "lead_isTicketOpen";

-- A list of texts, as JSON, with some added at its end and some removed.
CREATE FUNCTION list_with(list text, added text, removed text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN array_to_json(ARRAY(
    SELECT element FROM jsonb_array_elements_text(list::jsonb || COALESCE(added, '[]')::jsonb) WITH ORDINALITY AS all_of(element, place)
    WHERE NOT COALESCE(removed, '[]')::jsonb ? element
    GROUP BY element ORDER BY min(place)))::text;

-- As the phone has them; ids are the network's.
CREATE TABLE label (
  instance_id text NOT NULL,
  labelid     text NOT NULL,
  name        text NOT NULL DEFAULT '',
  color       integer NOT NULL DEFAULT 0,
  created     timestamptz NOT NULL DEFAULT now(),
  updated     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (instance_id, labelid)
);

-- Who is blocked, under each JID that the network told.
CREATE TABLE blocked (
  instance_id text NOT NULL,
  jid         text NOT NULL,
  PRIMARY KEY (instance_id, jid)
);

-- Contacts are listed by name; those of the phone's address book are a list of their own.
CREATE INDEX contact_book ON contact (instance_id, jid) WHERE "contact_name" <> '' OR "contact_FirstName" <> '';

-- How many contacts an instance has, in the address book and outside of it.
CREATE TABLE contact_count (
  instance_id text NOT NULL,
  is_in_book  boolean NOT NULL,
  contacts    bigint NOT NULL,
  PRIMARY KEY (instance_id, is_in_book)
) WITH (fillfactor = 50);
INSERT INTO contact_count
  SELECT instance_id, "contact_name" <> '' OR "contact_FirstName" <> '', count(*) FROM contact GROUP BY 1, 2;

CREATE FUNCTION contacts_made() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_count AS k
    SELECT instance_id, "contact_name" <> '' OR "contact_FirstName" <> '', count(*) FROM made GROUP BY 1, 2
    ON CONFLICT ON CONSTRAINT contact_count_pkey DO UPDATE SET contacts = k.contacts + EXCLUDED.contacts;
  RETURN NULL;
END $$;
CREATE TRIGGER contacts_made AFTER INSERT ON contact REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION contacts_made();

CREATE FUNCTION contacts_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE contact_count AS k SET contacts = k.contacts - g.contacts
    FROM (
      SELECT instance_id, "contact_name" <> '' OR "contact_FirstName" <> '' AS is_in_book, count(*) AS contacts FROM gone GROUP BY 1, 2
    ) AS g
    WHERE k.instance_id = g.instance_id AND k.is_in_book = g.is_in_book;
  RETURN NULL;
END $$;
CREATE TRIGGER contacts_gone AFTER DELETE ON contact REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION contacts_gone();

CREATE FUNCTION contact_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_count AS k VALUES (NEW.instance_id, NEW."contact_name" <> '' OR NEW."contact_FirstName" <> '', 1)
    ON CONFLICT ON CONSTRAINT contact_count_pkey DO UPDATE SET contacts = k.contacts + 1;
  UPDATE contact_count SET contacts = contacts - 1
    WHERE instance_id = OLD.instance_id AND is_in_book = (OLD."contact_name" <> '' OR OLD."contact_FirstName" <> '');
  RETURN NULL;
END $$;
CREATE TRIGGER contact_moved AFTER UPDATE ON contact FOR EACH ROW
  WHEN ((OLD."contact_name" <> '' OR OLD."contact_FirstName" <> '') IS DISTINCT FROM (NEW."contact_name" <> '' OR NEW."contact_FirstName" <> ''))
  EXECUTE FUNCTION contact_moved();
