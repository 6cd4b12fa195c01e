-- What each message costs besides its rows.

-- PostgreSQL parses and plans the expression of a generated column anew for each statement, and puts the body of an SQL function into it.
-- It leaves one of plpgsql alone, and compiles that once for each session.
CREATE OR REPLACE FUNCTION message_outbox(status text, sent_by_api boolean) RETURNS smallint LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN (CASE WHEN NOT sent_by_api THEN 0 WHEN status = 'queued' THEN 1 WHEN status = 'pending' THEN 2 ELSE 0 END)::smallint;
END $$;

-- Where a table has a trigger before the update of a row, each update locks its row first, whatever the columns and the condition of the trigger.

-- It was for nodes of 0.1.0, beside which no node of this version works.
DROP TRIGGER message_edited_before ON message;
DROP FUNCTION message_edited_before();

-- This version writes the groups with the addresses; nodes of the former release leave it to this trigger, as before, which then has to
-- follow the update.
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
