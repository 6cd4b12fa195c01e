-- How many dead letters each webhook has, so that figures need no look at each of them. Rows are only added, with differences, and a job adds them up,
-- as of `instance_count` (0141_instance_counts.sql).
CREATE TABLE dead_letter_count (
  webhook_id uuid NOT NULL,
  letters    bigint NOT NULL
);

CREATE FUNCTION dead_letters_counted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO dead_letter_count SELECT webhook_id, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END FROM changed GROUP BY 1;
  RETURN NULL;
END $$;
-- Triggers, so that nodes of an older release cannot forget them; one row for each statement and webhook. They lock the table until the rows are counted.
CREATE TRIGGER dead_letters_made AFTER INSERT ON dead_letter REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION dead_letters_counted();
CREATE TRIGGER dead_letters_gone AFTER DELETE ON dead_letter REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION dead_letters_counted();
INSERT INTO dead_letter_count SELECT webhook_id, count(*) FROM dead_letter GROUP BY 1;
