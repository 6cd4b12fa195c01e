-- The votes of a poll by sender, the newest first: of each sender some are counted, however many a stranger sends.
CREATE INDEX message_vote_sender ON message (instance_id, "quoted", "sender", position) WHERE "messageType" = 'poll' AND "quoted" <> '';
