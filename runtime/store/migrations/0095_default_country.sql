-- The country whose national numbers callers of the instance may give (ISO 3166, two letters); empty: numbers need their country code.
ALTER TABLE instance ADD COLUMN default_country text NOT NULL DEFAULT '';
