-- Posts of channels: the number that WhatsApp gives each, by which views and reactions name it, and the last counts of both. Nodes of the former
-- release receive no posts.
CREATE TABLE channel_post (
  instance_id text NOT NULL,
  -- JID.
  channel     text NOT NULL,
  server_id   bigint NOT NULL,
  -- Empty for a post of which only counts are known.
  messageid   text NOT NULL DEFAULT '',
  -- Null: not known.
  views       bigint,
  -- JSON: how often each emoji was given.
  reactions   text NOT NULL DEFAULT '{}',
  created     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (instance_id, channel, server_id)
);
CREATE INDEX channel_post_created ON channel_post (created);
CREATE INDEX channel_post_message ON channel_post (instance_id, messageid);
