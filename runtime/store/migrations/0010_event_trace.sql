-- The trace of the call that caused an event, so that its webhooks go on with it; null when no call did. As the header traceparent
-- (W3C Trace Context). Older nodes leave it out.
ALTER TABLE event ADD COLUMN traceparent text;
