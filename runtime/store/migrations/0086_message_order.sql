-- Messages stand in the order of "messageTimestamp", then of `position`. Live messages get times that never go back within an instance, and those
-- of a history times before the first live one of the pairing. Where that differs from the time that callers see, `shown_ms` holds the latter.
ALTER TABLE message ADD COLUMN shown_ms bigint;
-- The place of the first live message, and the pairing (`instance.pairing`) that it belongs to.
ALTER TABLE instance ADD COLUMN live_from bigint, ADD COLUMN live_pairing integer;
