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
