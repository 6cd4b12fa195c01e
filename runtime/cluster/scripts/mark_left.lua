-- Notes in the lease of one node that nothing of this node acts. Does nothing when the lease is gone.
-- KEYS[1]  lease     {posthorn:cluster}:lease:<incarnation>   hash: creation, counter, left
-- ARGV[1]  creation  number of the lease that the caller made
-- Returns 1.
if redis.call('HGET', KEYS[1], 'creation') == ARGV[1] then redis.call('HSET', KEYS[1], 'left', 1) end
return 1
