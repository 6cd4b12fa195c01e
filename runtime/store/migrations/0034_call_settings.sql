-- Calls that the owner of an instance rejects by itself: JSON of `CallSettings`, empty when nothing was set. Nodes of 0.1.0 let every call ring.
ALTER TABLE instance ADD COLUMN call_settings text NOT NULL DEFAULT '';
