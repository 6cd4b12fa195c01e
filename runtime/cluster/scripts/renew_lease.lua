-- Renews the lease of one node by raising its counter.
-- KEYS[1]  lease     {posthorn:cluster}:lease:<incarnation>   hash: creation, counter, left
-- ARGV[1]  creation  number of the lease that the caller made
-- ARGV[2]  counter   new counter, higher than the former one
-- ARGV[3]  keptMs    time that an abandoned lease is kept, in milliseconds
-- Returns 'renewed'; 'lost' when there is no lease of this creation; 'failed' when the counter is not higher.
local lease = redis.call('HMGET', KEYS[1], 'creation', 'counter')
if lease[1] ~= ARGV[1] then return 'lost' end
if tonumber(lease[2]) >= tonumber(ARGV[2]) then return 'failed' end
redis.call('HSET', KEYS[1], 'counter', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 'renewed'
