-- Searches for what names contain, from two letters on: trigrams serve three or more.

-- Keys of all pairs of neighbouring characters, without regard to case, for one instance. A search for two letters finds its rows by the key of its
-- pair. A long text has a key of the instance in place of its pairs. The keys are hashes: whoever finds a row by them compares the text too.
CREATE FUNCTION text_pairs(instance text, texts text) RETURNS integer[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 1000 AS $$
DECLARE
  lowered text := lower(texts);
  size integer := length(lowered);
  keys integer[] := '{}';
BEGIN
  IF size > 500 THEN
    RETURN ARRAY[hashtext(instance)];
  END IF;
  FOR place IN 1 .. size - 1 LOOP
    keys[place] := hashtext(instance || substr(lowered, place, 2));
  END LOOP;
  RETURN keys;
END $$;

-- The names of a chat are mostly one name, which needs its pairs once. A line between two names keeps their pairs apart.
CREATE INDEX chat_name_pairs ON chat USING gin (
  text_pairs(instance_id, "name" || E'\n' || COALESCE(NULLIF("wa_name", "name"), '') || E'\n' || COALESCE(NULLIF("wa_contactName", "name"), '')
    || E'\n' || COALESCE(NULLIF("lead_name", "name"), '') || E'\n' || COALESCE(NULLIF("lead_fullName", "name"), ''))
) WITH (fastupdate = on, gin_pending_list_limit = 64);

CREATE INDEX contact_name_pairs ON contact USING gin (
  text_pairs(instance_id, "contact_name" || E'\n' || CASE WHEN starts_with("contact_name", "contact_FirstName") THEN '' ELSE "contact_FirstName" END
    || E'\n' || COALESCE(NULLIF(push_name, "contact_name"), '') || E'\n' || username)
) WITH (fastupdate = on, gin_pending_list_limit = 64);

-- Without statistics PostgreSQL takes few rows for found, and so the index always. With them it would compute the keys of each row in a search that
-- most rows match, for seconds.
ALTER INDEX chat_name_pairs ALTER COLUMN 1 SET STATISTICS 0;
ALTER INDEX contact_name_pairs ALTER COLUMN 1 SET STATISTICS 0;
