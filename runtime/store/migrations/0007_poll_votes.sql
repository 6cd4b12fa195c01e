-- The votes of a poll are counted with each new one: by whoever owns the instance then, from what is stored.
CREATE INDEX message_vote ON message (instance_id, "quoted") WHERE "messageType" = 'poll' AND "quoted" <> '';
