-- Since when an instance is another installation's: its credentials were given away in a file, and two connections with the same ones
-- are forbidden. Nothing is written of it any more but what becomes of its deliveries. Older nodes do not look at it, so nothing is to be
-- exported while some are left; a stopped instance they leave alone.
ALTER TABLE instance ADD COLUMN exported_at timestamptz;
