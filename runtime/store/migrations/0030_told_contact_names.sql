-- In which pairing (`instance.pairing`) the name of a contact was told as a change, as `chat.told_pairing`.
ALTER TABLE contact ADD COLUMN told_pairing integer;
