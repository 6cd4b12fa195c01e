-- Whether the account has starred the message, on all its devices; null is not.
ALTER TABLE message ADD COLUMN starred boolean;
