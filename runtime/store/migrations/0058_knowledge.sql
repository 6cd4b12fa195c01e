-- Knowledge becomes searchable: each entry is read and cut into chunks, with lexemes and, where a provider has embeddings, vectors. A node of a former
-- release edits `content`, `file_type` and `updated` only, so an entry is read whenever `updated` is not `processed`.
ALTER TABLE knowledge
  -- A file as it was given, until its text is in `content`.
  ADD COLUMN source            bytea,
  -- Grows with each edit of the content and each time that the chunks are made.
  ADD COLUMN generation        bigint NOT NULL DEFAULT 0,
  -- `updated` of the content that was read.
  ADD COLUMN processed         timestamptz,
  -- pending, processing, indexed, vectorized, error; empty: never read.
  ADD COLUMN vector_status     text NOT NULL DEFAULT '',
  ADD COLUMN vector_reason     text NOT NULL DEFAULT '',
  -- Model and server of the vectors; empty: it has none.
  ADD COLUMN vector_model      text NOT NULL DEFAULT '',
  ADD COLUMN last_vectorized   timestamptz,
  ADD COLUMN chunks            integer NOT NULL DEFAULT 0,
  ADD COLUMN tokens            integer NOT NULL DEFAULT 0,
  -- Text search configuration.
  ADD COLUMN language          text NOT NULL DEFAULT 'simple',
  ADD COLUMN attempts          integer NOT NULL DEFAULT 0,
  -- Not before then, after a failure.
  ADD COLUMN retry_at          timestamptz,
  -- When vectors are to be made; null: none are missing, or none can be made.
  ADD COLUMN vectors_due       timestamptz;
CREATE INDEX knowledge_due ON knowledge (instance_id) WHERE active AND (processed IS DISTINCT FROM updated OR vectors_due IS NOT NULL);

CREATE TABLE knowledge_chunk (
  instance_id text NOT NULL,
  entry_id    text NOT NULL,
  position    integer NOT NULL,
  generation  bigint NOT NULL,
  text        text NOT NULL,
  -- Characters at the beginning of the text that repeat the end of the chunk before it.
  overlap     integer NOT NULL,
  -- Each begins with a mark of the instance, so that a search never reads the index of others.
  lexemes     tsvector NOT NULL,
  -- Normalised, of 32-bit floats, little-endian.
  vector      bytea,
  model       text,
  dimensions  integer,
  PRIMARY KEY (instance_id, entry_id, position),
  -- A node of a former release deletes entries without their chunks.
  FOREIGN KEY (instance_id, entry_id) REFERENCES knowledge ON DELETE CASCADE
);
CREATE INDEX knowledge_chunk_lexemes ON knowledge_chunk USING gin (lexemes);

-- Texts of sounds, which were paid for once. `file`: whose sound of the message it is.
CREATE TABLE message_text (
  instance_id text NOT NULL,
  id          text NOT NULL,
  file        text NOT NULL,
  text        text NOT NULL,
  created     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (instance_id, id, file)
);

