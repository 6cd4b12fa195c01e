-- How many chats with a place in the sales process an instance has, by that place and by their flags, so that a search for a status that
-- ten thousand chats have counts a few rows. Only chats that have one: what is in no row here is what `chat_count` has more.
CREATE TABLE chat_lead_count (
  instance_id                 text NOT NULL,
  -- Of `chat_count` all flags.
  unread                      smallint NOT NULL,
  "wa_archived"               boolean NOT NULL,
  "wa_isBlocked"              boolean NOT NULL,
  "wa_isGroup"                boolean NOT NULL,
  "wa_isGroup_admin"          boolean NOT NULL,
  "wa_isGroup_announce"       boolean NOT NULL,
  "wa_isGroup_community"      boolean NOT NULL,
  "wa_isGroup_member"         boolean NOT NULL,
  "wa_isPinned"               boolean NOT NULL,
  "lead_isTicketOpen"         boolean NOT NULL,
  "lead_status"               text NOT NULL,
  "lead_assignedAttendant_id" text NOT NULL,
  chats                       bigint NOT NULL
) WITH (fillfactor = 50);

-- The long texts of a lead are no key of a B-tree; their hash is.
CREATE FUNCTION lead_count_key(status text, attendant text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN md5(md5(status) || attendant);
CREATE UNIQUE INDEX chat_lead_count_key ON chat_lead_count (instance_id, lead_count_key("lead_status", "lead_assignedAttendant_id"),
  unread, "wa_archived", "wa_isBlocked", "wa_isGroup", "wa_isGroup_admin", "wa_isGroup_announce", "wa_isGroup_community",
  "wa_isGroup_member", "wa_isPinned", "lead_isTicketOpen");

INSERT INTO chat_lead_count
  SELECT instance_id, sign("wa_unreadCount")::smallint, "wa_archived", "wa_isBlocked", "wa_isGroup", "wa_isGroup_admin", "wa_isGroup_announce",
    "wa_isGroup_community", "wa_isGroup_member", "wa_isPinned", "lead_isTicketOpen", "lead_status", "lead_assignedAttendant_id", count(*)
  FROM chat WHERE "lead_isTicketOpen" OR "lead_status" <> '' OR "lead_assignedAttendant_id" <> ''
  GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13;

-- One chat more, or less, with such a place. Rows of which none are left go: a text can be anything.
CREATE FUNCTION count_lead(one chat, change bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT (one."lead_isTicketOpen" OR one."lead_status" <> '' OR one."lead_assignedAttendant_id" <> '') THEN
    RETURN;
  END IF;
  INSERT INTO chat_lead_count AS k VALUES (one.instance_id, sign(one."wa_unreadCount")::smallint, one."wa_archived", one."wa_isBlocked",
      one."wa_isGroup", one."wa_isGroup_admin", one."wa_isGroup_announce", one."wa_isGroup_community", one."wa_isGroup_member",
      one."wa_isPinned", one."lead_isTicketOpen", one."lead_status", one."lead_assignedAttendant_id", change)
    ON CONFLICT (instance_id, lead_count_key("lead_status", "lead_assignedAttendant_id"), unread, "wa_archived", "wa_isBlocked", "wa_isGroup",
      "wa_isGroup_admin", "wa_isGroup_announce", "wa_isGroup_community", "wa_isGroup_member", "wa_isPinned", "lead_isTicketOpen")
    DO UPDATE SET chats = k.chats + change;
  IF change < 0 THEN
    DELETE FROM chat_lead_count AS k
      WHERE k.chats = 0 AND k.instance_id = one.instance_id
        AND lead_count_key(k."lead_status", k."lead_assignedAttendant_id") = lead_count_key(one."lead_status", one."lead_assignedAttendant_id");
  END IF;
END $$;

CREATE FUNCTION chat_lead_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM count_lead(OLD, -1); END IF;
  IF TG_OP <> 'DELETE' THEN PERFORM count_lead(NEW, 1); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER chat_lead_made AFTER INSERT ON chat FOR EACH ROW
  WHEN (NEW."lead_isTicketOpen" OR NEW."lead_status" <> '' OR NEW."lead_assignedAttendant_id" <> '')
  EXECUTE FUNCTION chat_lead_moved();
CREATE TRIGGER chat_lead_gone AFTER DELETE ON chat FOR EACH ROW
  WHEN (OLD."lead_isTicketOpen" OR OLD."lead_status" <> '' OR OLD."lead_assignedAttendant_id" <> '')
  EXECUTE FUNCTION chat_lead_moved();
CREATE TRIGGER chat_lead_moved AFTER UPDATE ON chat FOR EACH ROW
  WHEN ((OLD."lead_isTicketOpen" OR OLD."lead_status" <> '' OR OLD."lead_assignedAttendant_id" <> ''
      OR NEW."lead_isTicketOpen" OR NEW."lead_status" <> '' OR NEW."lead_assignedAttendant_id" <> '')
    AND (sign(OLD."wa_unreadCount"), OLD."wa_archived", OLD."wa_isBlocked", OLD."wa_isGroup", OLD."wa_isGroup_admin",
      OLD."wa_isGroup_announce", OLD."wa_isGroup_community", OLD."wa_isGroup_member", OLD."wa_isPinned", OLD."lead_isTicketOpen",
      OLD."lead_status", OLD."lead_assignedAttendant_id")
    IS DISTINCT FROM
    (sign(NEW."wa_unreadCount"), NEW."wa_archived", NEW."wa_isBlocked", NEW."wa_isGroup", NEW."wa_isGroup_admin",
      NEW."wa_isGroup_announce", NEW."wa_isGroup_community", NEW."wa_isGroup_member", NEW."wa_isPinned", NEW."lead_isTicketOpen",
      NEW."lead_status", NEW."lead_assignedAttendant_id"))
  EXECUTE FUNCTION chat_lead_moved();

-- Contacts outside of the address book are a list of their own as well.
CREATE INDEX contact_outside ON contact (instance_id, jid) WHERE NOT ("contact_name" <> '' OR "contact_FirstName" <> '');
