-- Reads all leases, and the history of the data, by as many commands for many nodes as for one.
-- KEYS[1]  index    {posthorn:cluster}:leases        set of incarnations
-- KEYS[2]  all      {posthorn:cluster}:leases:all    hash: incarnation to "creation counter left", and '' to the history
-- ARGV[1]  prefix   key of a lease without its incarnation
-- ARGV[2]  random   value of the history when there is none: made once
-- ARGV[3]… incarnations whose leases have not changed for so long that they may have expired. Those without a lease are removed.
-- Returns { history, { { incarnation, creation, counter, left }, … } }; left is '1' or ''.
-- The history joins the run id, which changes with a restart, the replication id, which changes with a fail-over, and the random value,
-- which changes when the data is wiped.
for index = 3, #ARGV do
  if redis.call('EXISTS', ARGV[1] .. ARGV[index]) == 0 then
    redis.call('SREM', KEYS[1], ARGV[index])
    redis.call('HDEL', KEYS[2], ARGV[index])
  end
end
local all = redis.call('HGETALL', KEYS[2])
local known, leases, history = {}, {}, nil
for index = 1, #all, 2 do
  local incarnation, value = all[index], all[index + 1]
  if incarnation == '' then
    history = value
  else
    local creation, counter, left = string.match(value, '^(%d+) (%d+) (1?)$')
    known[incarnation] = true
    table.insert(leases, { incarnation, creation, counter, left })
  end
end
if not history then
  history = ARGV[2]
  redis.call('HSET', KEYS[2], '', history)
end
-- Nodes of an older release write their own keys only, which this one reads one by one.
for _, incarnation in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  if not known[incarnation] then
    local lease = redis.call('HMGET', ARGV[1] .. incarnation, 'creation', 'counter', 'left')
    if lease[1] then
      table.insert(leases, { incarnation, lease[1], lease[2], lease[3] or '' })
    else
      redis.call('SREM', KEYS[1], incarnation)
    end
  end
end
-- Redis before 7.0 takes one section at a time.
local info = redis.pcall('INFO', 'server', 'replication')
if type(info) == 'table' then info = redis.call('INFO', 'server') .. redis.call('INFO', 'replication') end
return { string.match(info, 'run_id:(%w+)') .. ':' .. string.match(info, 'master_replid:(%w+)') .. ':' .. history, leases }
