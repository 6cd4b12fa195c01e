-- The failed messages of an instance, in the order of a search. -1 stands for them in `outbox`, since receipts change no column of this index
-- then (0001_store.sql). While nodes of an older release are at work, their retention and their deletions of chats leave these rows to the others.
CREATE OR REPLACE FUNCTION message_outbox(status text, sent_by_api boolean) RETURNS smallint LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN (CASE WHEN status = 'failed' THEN -1 WHEN NOT sent_by_api THEN 0 WHEN status = 'queued' THEN 1 WHEN status = 'pending' THEN 2
    ELSE 0 END)::smallint;
END $$;
UPDATE message SET "status" = 'failed' WHERE "status" = 'failed';
CREATE INDEX message_failed ON message (instance_id, "messageTimestamp" DESC, position DESC) WHERE outbox < 0;
