-- People whose presence an account watches: JSON of `WatchedPerson`, empty when there are none. The next owner subscribes to them again. Former
-- releases leave it as it is.
ALTER TABLE instance ADD COLUMN watched text NOT NULL DEFAULT '';
