-- Headers of a webhook and the credentials of its URL, sealed as one value; null for none. `url` stays without credentials.
-- A node of the former release sends without them.
ALTER TABLE webhook ADD COLUMN access bytea;
