-- What lies in the storage of files: a row is there before its file and goes after it, so that none is left behind.
CREATE TABLE media_file (
  -- The name in the storage.
  name        text PRIMARY KEY,
  -- The instance. Its rows outlive it until their files are gone, so it is not among the tables that are emptied with it.
  owner_id    text NOT NULL,
  -- Of a file that is to be sent: its message, which needs it as long as it is queued. Empty for those that were received.
  messageid   text NOT NULL DEFAULT '',
  mimetype    text NOT NULL DEFAULT '',
  file_name   text NOT NULL DEFAULT '',
  size_bytes  bigint NOT NULL DEFAULT 0,
  -- All of it is there.
  stored      boolean NOT NULL DEFAULT false,
  created     timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX media_file_created ON media_file (created);
