-- The ad behind a message, as JSON; null for other messages.
ALTER TABLE message ADD COLUMN ad text;
-- The first ad that brought the person of a chat. The time is that of its message in milliseconds since 1970; 0: no ad is known.
ALTER TABLE chat
  ADD COLUMN "lead_adSource" text NOT NULL DEFAULT '',
  ADD COLUMN "lead_adSourceId" text NOT NULL DEFAULT '',
  ADD COLUMN "lead_adSourceUrl" text NOT NULL DEFAULT '',
  ADD COLUMN "lead_adSourceApp" text NOT NULL DEFAULT '',
  ADD COLUMN "lead_adTitle" text NOT NULL DEFAULT '',
  ADD COLUMN "lead_adClickId" text NOT NULL DEFAULT '',
  ADD COLUMN "lead_adRef" text NOT NULL DEFAULT '',
  ADD COLUMN "lead_adAt" bigint NOT NULL DEFAULT 0;
