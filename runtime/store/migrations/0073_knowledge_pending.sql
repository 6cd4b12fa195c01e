-- Each word of a search reads the whole list of entries that are not in the index proper yet. The usual list of 4 MiB, which is full after an import
-- of a few thousand chunks, took half of the time of a long question. Writing takes half as long again.
ALTER INDEX knowledge_chunk_lexemes SET (gin_pending_list_limit = 256);
SELECT gin_clean_pending_list('knowledge_chunk_lexemes');
