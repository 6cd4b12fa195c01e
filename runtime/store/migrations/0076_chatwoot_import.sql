-- Settings that come from another installation are off, and get a receiver of their own.
ALTER TABLE chatwoot_config
  ALTER COLUMN enabled SET DEFAULT false,
  ALTER COLUMN webhook_id SET DEFAULT gen_random_uuid();
