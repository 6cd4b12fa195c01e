-- How many instances have which status, so that figures need no look at each of them. Rows are only added, with differences: a row that is changed
-- would make transactions of one shard wait for each other, and end some of them in a deadlock. A job of the cluster adds the differences up.
CREATE TABLE instance_count (
  shard             smallint NOT NULL,
  -- A status counts only under the present epoch of the shard.
  status_epoch      bigint NOT NULL,
  status            text NOT NULL,
  desired_connected boolean NOT NULL,
  instances         bigint NOT NULL
);

CREATE FUNCTION instance_counted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO instance_count VALUES (OLD.shard, OLD.status_epoch, OLD.status, OLD.desired_connected, -1);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO instance_count VALUES (NEW.shard, NEW.status_epoch, NEW.status, NEW.desired_connected, 1);
  END IF;
  RETURN NULL;
END $$;
-- Triggers, so that nodes of an older release cannot forget them. They lock the table until the rows are counted.
CREATE TRIGGER instance_counted AFTER INSERT OR DELETE ON instance FOR EACH ROW EXECUTE FUNCTION instance_counted();
CREATE TRIGGER instance_recounted AFTER UPDATE ON instance FOR EACH ROW
  WHEN ((OLD.status_epoch, OLD.status, OLD.desired_connected) IS DISTINCT FROM (NEW.status_epoch, NEW.status, NEW.desired_connected))
  EXECUTE FUNCTION instance_counted();
INSERT INTO instance_count SELECT shard, status_epoch, status, desired_connected, count(*) FROM instance GROUP BY 1, 2, 3, 4;
