-- Ready answers: those that callers keep here, on any node, and those of the phone, which the owner of the instance writes.
CREATE TABLE quick_reply (
  instance_id text NOT NULL,
  -- Of the phone's: what the network calls it.
  id          text NOT NULL,
  is_of_phone boolean NOT NULL,
  shortcut    text NOT NULL,
  type        text NOT NULL,
  text        text NOT NULL,
  -- URL or base64.
  file        text NOT NULL,
  doc_name    text NOT NULL,
  created     timestamptz NOT NULL DEFAULT now(),
  updated     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (instance_id, is_of_phone, id)
);

-- What of a known group is searched: its name, and under which addresses its members are known (both of each, when told).
ALTER TABLE group_info ADD COLUMN name text NOT NULL DEFAULT '', ADD COLUMN members text[] NOT NULL DEFAULT '{}';
-- The library's JSON begins with the JID and the name. What cannot be read so is filled when the groups are asked for again.
UPDATE group_info SET
  name = COALESCE(substring(info from '^\{"jid":"[^"]*","name":"([^"\\]*)"'), ''),
  members = ARRAY(SELECT DISTINCT found[1] FROM regexp_matches(info, '"(?:jid|other)":"([^"\\]+@(?:lid|s\.whatsapp\.net))"', 'g') AS found);

-- Who is in which known group, so that a person's are found without a look at the others. Kept by the triggers below.
CREATE TABLE group_member (
  instance_id text NOT NULL,
  jid         text NOT NULL,
  group_jid   text NOT NULL,
  PRIMARY KEY (instance_id, jid, group_jid)
);
INSERT INTO group_member SELECT g.instance_id, one, g.jid FROM group_info AS g, unnest(g.members) AS one ON CONFLICT DO NOTHING;

-- The groups that a person shares with the account, as the chat record tells them; the account has none with itself.
CREATE FUNCTION common_groups(instance text, pn text, lid text) RETURNS text LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  IF EXISTS (SELECT FROM instance AS i WHERE i.id = instance AND i.owner_jid IN (pn, lid)) THEN
    RETURN '';
  END IF;
  RETURN (
    SELECT COALESCE(string_agg(g.name || '(' || g.jid || ')', ',' ORDER BY g.jid), '')
    FROM (SELECT DISTINCT m.group_jid FROM group_member AS m WHERE m.instance_id = instance AND m.jid IN (pn, lid)) AS shared
    JOIN group_info AS g ON g.instance_id = instance AND g.jid = shared.group_jid
  );
END $$;

-- A chat that begins, or whose other address is learnt, has them at once.
CREATE FUNCTION chat_groups() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."wa_common_groups" := common_groups(NEW.instance_id, NEW."wa_chatid", NEW."wa_chatlid");
  RETURN NEW;
END $$;
CREATE TRIGGER chat_groups_made BEFORE INSERT ON chat FOR EACH ROW WHEN (NOT NEW."wa_isGroup") EXECUTE FUNCTION chat_groups();
CREATE TRIGGER chat_groups_met BEFORE UPDATE ON chat FOR EACH ROW
  WHEN (NOT NEW."wa_isGroup" AND (OLD."wa_chatid", OLD."wa_chatlid") IS DISTINCT FROM (NEW."wa_chatid", NEW."wa_chatlid"))
  EXECUTE FUNCTION chat_groups();

-- Those who came, went, or are in a group of another name now. The chats are few beside the members of large groups.
CREATE FUNCTION members_met(instance text, people text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE chat AS c SET "wa_common_groups" = met.groups, updated = now()
    FROM (
      SELECT o.id, common_groups(o.instance_id, o."wa_chatid", o."wa_chatlid") AS groups
      FROM (SELECT DISTINCT a.chat_id FROM chat_alias AS a WHERE a.instance_id = instance AND a.jid = ANY (people)) AS known
      JOIN chat AS o ON o.instance_id = instance AND o.id = known.chat_id AND NOT o."wa_isGroup"
    ) AS met
    WHERE c.instance_id = instance AND c.id = met.id AND c."wa_common_groups" <> met.groups;
END $$;
CREATE FUNCTION group_members_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO group_member SELECT made.instance_id, one, made.jid FROM made, unnest(made.members) AS one ON CONFLICT DO NOTHING;
    PERFORM members_met(made.instance_id, array_agg(DISTINCT one)) FROM made, unnest(made.members) AS one GROUP BY made.instance_id;
  ELSIF TG_OP = 'DELETE' THEN
    DELETE FROM group_member AS m USING gone, unnest(gone.members) AS one
      WHERE m.instance_id = gone.instance_id AND m.jid = one AND m.group_jid = gone.jid;
    PERFORM members_met(gone.instance_id, array_agg(DISTINCT one)) FROM gone, unnest(gone.members) AS one GROUP BY gone.instance_id;
  ELSIF EXISTS (
    SELECT FROM made JOIN gone ON gone.instance_id = made.instance_id AND gone.jid = made.jid
    WHERE (made.name, made.members) IS DISTINCT FROM (gone.name, gone.members)
  ) THEN
    DELETE FROM group_member AS m USING (
      SELECT gone.instance_id, unnest(gone.members) AS jid, gone.jid AS group_jid FROM gone
      EXCEPT SELECT made.instance_id, unnest(made.members), made.jid FROM made
    ) AS left_it
      WHERE m.instance_id = left_it.instance_id AND m.jid = left_it.jid AND m.group_jid = left_it.group_jid;
    INSERT INTO group_member
      SELECT made.instance_id, unnest(made.members), made.jid FROM made
      EXCEPT SELECT gone.instance_id, unnest(gone.members), gone.jid FROM gone
      ON CONFLICT DO NOTHING;
    PERFORM members_met(moved.instance_id, array_agg(DISTINCT moved.one)) FROM (
      SELECT made.instance_id, unnest(CASE WHEN made.name = gone.name
        THEN ARRAY(SELECT unnest(made.members) EXCEPT SELECT unnest(gone.members))
          || ARRAY(SELECT unnest(gone.members) EXCEPT SELECT unnest(made.members))
        ELSE made.members || gone.members END) AS one
      FROM made JOIN gone ON gone.instance_id = made.instance_id AND gone.jid = made.jid
      WHERE (made.name, made.members) IS DISTINCT FROM (gone.name, gone.members)
    ) AS moved GROUP BY moved.instance_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER group_members_made AFTER INSERT ON group_info REFERENCING NEW TABLE AS made
  FOR EACH STATEMENT EXECUTE FUNCTION group_members_moved();
CREATE TRIGGER group_members_gone AFTER DELETE ON group_info REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION group_members_moved();
CREATE TRIGGER group_members_moved AFTER UPDATE ON group_info REFERENCING OLD TABLE AS gone NEW TABLE AS made
  FOR EACH STATEMENT EXECUTE FUNCTION group_members_moved();

UPDATE chat SET "wa_common_groups" = common_groups(instance_id, "wa_chatid", "wa_chatlid")
  WHERE NOT "wa_isGroup" AND "wa_common_groups" <> common_groups(instance_id, "wa_chatid", "wa_chatlid");
