-- The instances, and webhooks of each, that have something waiting are found without a look at every lane; so are the deliveries of one
-- instance, when it is deleted.
CREATE INDEX delivery_instance ON delivery (instance_id, webhook_id, lane);
-- The oldest waiting delivery: how old it is, and whether it has reached the age limit.
CREATE INDEX delivery_created ON delivery (created);
