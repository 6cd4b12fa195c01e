-- Beside the sentences, so that pages have them in the language of the reader.
ALTER TABLE knowledge ADD COLUMN vector_code text NOT NULL DEFAULT '';
ALTER TABLE agent ADD COLUMN embedding_code text NOT NULL DEFAULT '';
