-- A condition of a trigger is parsed and compiled anew by each statement, which took a third of the time of a statement that moves a chat by
-- a message. With the columns of its condition, PostgreSQL skips a trigger whose columns the statement does not set.
CREATE OR REPLACE TRIGGER chat_moved AFTER UPDATE OF "wa_unreadCount", "wa_archived", "wa_isBlocked", "wa_isGroup", "wa_isGroup_admin",
    "wa_isGroup_announce", "wa_isGroup_community", "wa_isGroup_member", "wa_isPinned" ON chat FOR EACH ROW
  WHEN ((sign(OLD."wa_unreadCount"), OLD."wa_archived", OLD."wa_isBlocked", OLD."wa_isGroup", OLD."wa_isGroup_admin",
      OLD."wa_isGroup_announce", OLD."wa_isGroup_community", OLD."wa_isGroup_member", OLD."wa_isPinned")
    IS DISTINCT FROM
    (sign(NEW."wa_unreadCount"), NEW."wa_archived", NEW."wa_isBlocked", NEW."wa_isGroup", NEW."wa_isGroup_admin",
      NEW."wa_isGroup_announce", NEW."wa_isGroup_community", NEW."wa_isGroup_member", NEW."wa_isPinned"))
  EXECUTE FUNCTION chat_moved();
CREATE OR REPLACE TRIGGER chat_lead_moved AFTER UPDATE OF "wa_unreadCount", "wa_archived", "wa_isBlocked", "wa_isGroup", "wa_isGroup_admin",
    "wa_isGroup_announce", "wa_isGroup_community", "wa_isGroup_member", "wa_isPinned", "lead_isTicketOpen", "lead_status",
    "lead_assignedAttendant_id" ON chat FOR EACH ROW
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
CREATE OR REPLACE TRIGGER chat_groups_met BEFORE UPDATE OF "wa_chatid", "wa_chatlid", "wa_isGroup" ON chat FOR EACH ROW
  WHEN (NOT NEW."wa_isGroup" AND (OLD."wa_chatid", OLD."wa_chatlid") IS DISTINCT FROM (NEW."wa_chatid", NEW."wa_chatlid"))
  EXECUTE FUNCTION chat_groups();
