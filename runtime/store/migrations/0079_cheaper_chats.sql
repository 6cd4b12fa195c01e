-- What a new chat, and a message that moves a chat, cost besides their rows. A migration of its own: it locks no table beside the chats.

-- Most people share no group with the account: one look says so.
CREATE OR REPLACE FUNCTION common_groups(instance text, pn text, lid text) RETURNS text LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM group_member AS m WHERE m.instance_id = instance AND m.jid IN (pn, lid))
    OR EXISTS (SELECT FROM instance AS i WHERE i.id = instance AND i.owner_jid IN (pn, lid)) THEN
    RETURN '';
  END IF;
  RETURN (
    SELECT COALESCE(string_agg(g.name || '(' || g.jid || ')', ',' ORDER BY g.jid), '')
    FROM (SELECT DISTINCT m.group_jid FROM group_member AS m WHERE m.instance_id = instance AND m.jid IN (pn, lid)) AS shared
    JOIN group_info AS g ON g.instance_id = instance AND g.jid = shared.group_jid
  );
END $$;

-- The trigrams of a new chat, one by one, were half of what its row costs. In a list of at most 64 KiB, which a search reads too, they wait to be
-- sorted in together.
DO $$
BEGIN
  IF to_regclass('chat_texts') IS NOT NULL THEN
    ALTER INDEX chat_texts SET (fastupdate = on, gin_pending_list_limit = 64);
  END IF;
END $$;

-- Before the update, this trigger made each update lock its row first (0078). This version writes the groups with the addresses; nodes of the former
-- release still leave it to the trigger.
CREATE FUNCTION chat_groups_met() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE chat SET "wa_common_groups" = common_groups(NEW.instance_id, NEW."wa_chatid", NEW."wa_chatlid")
    WHERE instance_id = NEW.instance_id AND id = NEW.id
      AND "wa_common_groups" <> common_groups(NEW.instance_id, NEW."wa_chatid", NEW."wa_chatlid");
  RETURN NULL;
END $$;
DROP TRIGGER chat_groups_met ON chat;
CREATE TRIGGER chat_groups_met AFTER UPDATE OF "wa_chatid", "wa_chatlid", "wa_isGroup" ON chat FOR EACH ROW
  WHEN (NOT NEW."wa_isGroup" AND (OLD."wa_chatid", OLD."wa_chatlid") IS DISTINCT FROM (NEW."wa_chatid", NEW."wa_chatlid"))
  EXECUTE FUNCTION chat_groups_met();

-- One trigger for the flags by which chats are counted, instead of two whose conditions are compiled by each message that makes a chat unread. It counts
-- the place in the sales process too, unless the place itself changes, which the other trigger is for.
CREATE OR REPLACE FUNCTION chat_moved() RETURNS trigger LANGUAGE plpgsql AS $$
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
  IF (NEW."lead_isTicketOpen" OR NEW."lead_status" <> '' OR NEW."lead_assignedAttendant_id" <> '')
    AND (OLD."lead_isTicketOpen", OLD."lead_status", OLD."lead_assignedAttendant_id")
      = (NEW."lead_isTicketOpen", NEW."lead_status", NEW."lead_assignedAttendant_id") THEN
    PERFORM count_lead(OLD, -1);
    PERFORM count_lead(NEW, 1);
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER chat_lead_moved AFTER UPDATE OF "lead_isTicketOpen", "lead_status", "lead_assignedAttendant_id" ON chat FOR EACH ROW
  WHEN ((OLD."lead_isTicketOpen", OLD."lead_status", OLD."lead_assignedAttendant_id")
    IS DISTINCT FROM (NEW."lead_isTicketOpen", NEW."lead_status", NEW."lead_assignedAttendant_id"))
  EXECUTE FUNCTION chat_lead_moved();
