-- Reads all leases, and the history of the data. Removes incarnations without a lease from the index.
-- KEYS[1]  index    {posthorn:cluster}:leases    set of incarnations
-- KEYS[2]  history  {posthorn:cluster}:history   string, random, made once
-- ARGV[1]  prefix   key of a lease without its incarnation
-- ARGV[2]  random   value of the history when there is none
-- Returns { history, { { incarnation, creation, counter, left }, … } }; left is '1' or ''.
-- The history joins the run id, which changes with a restart, the replication id, which changes with a fail-over, and the random value,
-- which changes when the data is wiped.
redis.call('SET', KEYS[2], ARGV[2], 'NX')
local leases = {}
for _, incarnation in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  local lease = redis.call('HMGET', ARGV[1] .. incarnation, 'creation', 'counter', 'left')
  if lease[1] then
    table.insert(leases, { incarnation, lease[1], lease[2], lease[3] or '' })
  else
    redis.call('SREM', KEYS[1], incarnation)
  end
end
local run = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
local replication = string.match(redis.call('INFO', 'replication'), 'master_replid:(%w+)')
return { run .. ':' .. replication .. ':' .. redis.call('GET', KEYS[2]), leases }
