-- When a queued message may leave, by the clock of the database; null is at once. Nodes of 0.1.0 do not know it: should one own the
-- instance, it sends the message in its turn and waits its delay anew.
-- One table in each migration: nodes at work lock several in an order of their own, and a change of two could wait for them in a circle.
ALTER TABLE message ADD COLUMN due timestamptz;
