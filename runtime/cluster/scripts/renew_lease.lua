-- Renews the lease of one node by raising its counter.
-- KEYS[1]  lease     {posthorn:cluster}:lease:<incarnation>   hash: creation, counter, left
-- KEYS[2]  store     {posthorn:cluster}:store                 hash: system, timeline, era, …
-- KEYS[3]  used      {posthorn:cluster}:store:used            exists while nodes use that store
-- KEYS[4]  all       {posthorn:cluster}:leases:all            hash: incarnation to "creation counter left", and '' to the history
-- ARGV[1]  creation  number of the lease that the caller made
-- ARGV[2]  counter   new counter, higher than the former one
-- ARGV[3]  keptMs    time that an abandoned lease is kept, in milliseconds
-- ARGV[4]  system    system identifier of the store that the caller uses; empty when it is not known
-- ARGV[5]  timeline  of that store
-- ARGV[6]  era       of that store
-- ARGV[7]  unusedMs  time after which nobody uses the store, in milliseconds
-- ARGV[8]  incarnation  of the caller
-- Returns 'renewed'; 'lost' when there is no lease of this creation; 'failed' when the counter is not higher; 'outdated' when other nodes
-- use another store, or a newer timeline or era of it.
local lease = redis.call('HMGET', KEYS[1], 'creation', 'counter', 'left')
if lease[1] ~= ARGV[1] then return 'lost' end
if tonumber(lease[2]) >= tonumber(ARGV[2]) then return 'failed' end
if ARGV[4] ~= '' then
  local store = redis.call('HMGET', KEYS[2], 'system', 'timeline', 'era')
  if store[1] and (store[1] ~= ARGV[4] or tonumber(store[2]) > tonumber(ARGV[5]) or tonumber(store[3]) > tonumber(ARGV[6])) then
    return 'outdated'
  end
  if store[1] then redis.call('PEXPIRE', KEYS[3], ARGV[7]) end
end
redis.call('HSET', KEYS[1], 'counter', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('HSET', KEYS[4], ARGV[8], ARGV[1] .. ' ' .. ARGV[2] .. ' ' .. (lease[3] or ''))
return 'renewed'
