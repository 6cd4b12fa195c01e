-- Instances that their owners have stopped: they keep their pairing, and nothing but a command connects them.
ALTER TABLE instance ADD COLUMN is_stopped boolean NOT NULL DEFAULT false;
