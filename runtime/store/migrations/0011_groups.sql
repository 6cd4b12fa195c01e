-- What is known of the account's groups, so that sends and lists need not ask the network. Kept by its notifications.
CREATE TABLE group_info (
  instance_id text NOT NULL,
  jid         text NOT NULL,
  -- `GroupInfo` of schemas/group-info.ts, as JSON. Text: never searched, and jsonb refuses what a name may hold.
  info        text NOT NULL,
  -- Something changed in a way that is not known here: to be asked of the network before it is used.
  is_doubtful boolean NOT NULL DEFAULT false,
  updated     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (instance_id, jid)
) WITH (fillfactor = 80);
