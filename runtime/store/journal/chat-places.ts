/** Behind `written`, the chats of a statement: keeps their places in the order of the last message. */
export const PLACE_CHATS = `placed AS (
    UPDATE chat_activity AS a SET "wa_lastMsgTimestamp" = w."wa_lastMsgTimestamp", is_unread = w."wa_unreadCount" <> 0
    FROM written AS w
    WHERE a.instance_id = w.instance_id AND a.chat_id = w.id
      AND (a."wa_lastMsgTimestamp", a.is_unread) IS DISTINCT FROM (w."wa_lastMsgTimestamp", w."wa_unreadCount" <> 0)
  )`
