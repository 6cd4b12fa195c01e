-- Sequences and positions of events never repeat, also when the store went back in time and forgot which it had given out: with each era they
-- continue at a multiple of these numbers, far above all that one era uses. At the end of the transaction that begins the era, when nobody writes
-- under a former owner any more and none of its other locks is missing.
CREATE FUNCTION begin_event_era() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  sequences CONSTANT bigint := 1000000000;
  positions CONSTANT bigint := 100000000000;
BEGIN
  UPDATE event_sequence SET last = GREATEST(NEW.era - 1, last / sequences + 1) * sequences;
  PERFORM setval('event_position_seq', GREATEST(NEW.era - 1, last_value / positions + 1) * positions) FROM event_position_seq;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER begin_event_era AFTER UPDATE OF era ON store_history DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.era > OLD.era) EXECUTE FUNCTION begin_event_era();
