-- Notes in the lease of one node that nothing of this node acts. Does nothing when the lease is gone.
-- KEYS[1]  lease        {posthorn:cluster}:lease:<incarnation>   hash: creation, counter, left
-- KEYS[2]  all          {posthorn:cluster}:leases:all            hash: incarnation to "creation counter left", and '' to the history
-- ARGV[1]  creation     number of the lease that the caller made
-- ARGV[2]  incarnation  of the caller
-- Returns 1.
local lease = redis.call('HMGET', KEYS[1], 'creation', 'counter')
if lease[1] == ARGV[1] then
  redis.call('HSET', KEYS[1], 'left', 1)
  redis.call('HSET', KEYS[2], ARGV[2], lease[1] .. ' ' .. lease[2] .. ' 1')
end
return 1
