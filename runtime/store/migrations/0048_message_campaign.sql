-- The recipient of a campaign that a message was sent for, by which receipts reach its counters. Nodes of 0.1.0 leave both empty, and count no
-- receipts while they own an instance.
ALTER TABLE message ADD COLUMN send_folder_id text, ADD COLUMN send_ordinal integer;
