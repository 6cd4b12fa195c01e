-- The text of a message stays the original one; `edited` holds its edits as JSON, oldest first, so that the last is the present text.
-- Releases up to 0.1.0 wrote the present text into both columns. Such rows stay as they are: they are known by having the same in both.

-- One edit, as it stands in a history.
CREATE FUNCTION edit_entry(new_text text, at_ms bigint) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT '{"text":' || to_json(new_text)::text || ',"at":' || at_ms || '}' $$;

-- The history with one more edit. Bounded, because whoever wrote a message may edit it without end: the newest 50, and of these as many
-- as fit into 64 KiB; the newest is always there. What cannot be read as a history is none.
CREATE FUNCTION edit_history(former text, original text, new_text text, at_ms bigint) RETURNS text LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
  kept text := edit_entry(new_text, at_ms);
  older text;
BEGIN
  IF former <> original AND starts_with(former, '[{"text":') THEN
    BEGIN
      FOR older IN
        SELECT value::text FROM json_array_elements(former::json) WITH ORDINALITY AS known(value, place) ORDER BY place DESC LIMIT 49
      LOOP
        EXIT WHEN octet_length(kept) + octet_length(older) + 3 > 65536;
        kept := older || ',' || kept;
      END LOOP;
    EXCEPTION WHEN data_exception THEN
      kept := edit_entry(new_text, at_ms);
    END;
  END IF;
  RETURN '[' || kept || ']';
END $$;

-- A node of 0.1.0 that works beside newer ones goes on to write the present text into both columns.
CREATE FUNCTION message_edited_before() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."edited" := edit_history(OLD."edited", OLD."text", NEW."edited", (extract(epoch FROM NEW.updated) * 1000)::bigint);
  NEW."text" := OLD."text";
  RETURN NEW;
END $$;
CREATE TRIGGER message_edited_before BEFORE UPDATE OF "edited" ON message FOR EACH ROW
  WHEN (NEW."edited" <> OLD."edited" AND NEW."edited" = NEW."text") EXECUTE FUNCTION message_edited_before();
