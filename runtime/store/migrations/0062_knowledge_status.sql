-- Entries are counted by their status every two minutes, for metrics: by the index alone, since the rows hold long texts.
CREATE INDEX knowledge_status ON knowledge (vector_status) WHERE active;
