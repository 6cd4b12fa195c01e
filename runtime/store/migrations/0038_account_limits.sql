-- The last known restrictions of an account by the network: JSON of `AccountLimits`, empty when the network has told nothing. Nodes of 0.1.0
-- leave it as it is; the next owner asks the network anew.
ALTER TABLE instance ADD COLUMN limits text NOT NULL DEFAULT '';
