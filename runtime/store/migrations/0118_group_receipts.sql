-- Who of a group has received, read and played a message of the account. Nodes of the former release write no such rows, and take the first
-- receipt of a message for that of all.
CREATE TABLE message_receipt (
  instance_id  text NOT NULL,
  -- `id` of the message: ids of the network may repeat in another group.
  id           text NOT NULL,
  -- JID, as the group addresses the member.
  person       text NOT NULL,
  delivered_at timestamptz NOT NULL,
  read_at      timestamptz,
  played_at    timestamptz,
  PRIMARY KEY (instance_id, id, person)
);

-- How many have it so, of how many. A receipt changes one row here and need not count the others.
CREATE TABLE group_message (
  instance_id text NOT NULL,
  id          text NOT NULL,
  -- Members apart from the account when the first receipt came. Null: the group was not known.
  members     integer,
  delivered   integer NOT NULL,
  "read"      integer NOT NULL,
  played      integer NOT NULL,
  created     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (instance_id, id)
) WITH (fillfactor = 70);
CREATE INDEX group_message_created ON group_message USING brin (created);
