-- What the last attempt came to, told with the dead letter: the errors beside it are trimmed, and a webhook's URL may have changed since.
ALTER TABLE dead_letter
  ADD COLUMN url         text NOT NULL DEFAULT '',
  ADD COLUMN status_code integer NOT NULL DEFAULT 0;
