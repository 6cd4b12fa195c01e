-- Headers of functions hold keys of other services, so they are sealed. `headers` has them in clear while a node of the former release is
-- alive, which reads and writes that column only, and is empty afterwards. Where both are filled, `headers` is the newer one.
ALTER TABLE agent_function ADD COLUMN headers_sealed bytea;
CREATE INDEX agent_function_clear ON agent_function (instance_id, id) WHERE headers <> '';
-- Nodes of the former release leave it false.
ALTER TABLE node ADD COLUMN reads_sealed_headers boolean NOT NULL DEFAULT false;
