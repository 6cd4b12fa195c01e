-- The people of each status post of an account. A post goes out in parts, so a crash in the middle goes on where it stopped, and a deletion
-- reaches the same people. Nodes of the former release make no posts.
CREATE TABLE status_post (
  instance_id text NOT NULL,
  messageid   text NOT NULL,
  -- `contacts`, `allowlist` or `denylist`.
  audience    text NOT NULL,
  -- JIDs, in the order of the parts.
  people      text[] NOT NULL,
  -- How many of them the network has taken.
  reached     integer NOT NULL DEFAULT 0,
  -- JSON: who was left out and why, for repeated calls.
  report      text NOT NULL DEFAULT '{}',
  created     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (instance_id, messageid)
);
CREATE INDEX status_post_created ON status_post (created);

-- Who has received a post, and who has seen it.
CREATE TABLE status_view (
  instance_id  text NOT NULL,
  messageid    text NOT NULL,
  -- JID, as the post names the person.
  person       text NOT NULL,
  delivered_at timestamptz NOT NULL,
  seen_at      timestamptz,
  PRIMARY KEY (instance_id, messageid, person)
);
