-- Makes the lease of one node, over any former lease of the same incarnation.
-- KEYS[1]  lease        {posthorn:cluster}:lease:<incarnation>   hash: creation, counter, left
-- KEYS[2]  index        {posthorn:cluster}:leases                set of incarnations
-- KEYS[3]  all          {posthorn:cluster}:leases:all            hash: incarnation to "creation counter left", and '' to the history
-- ARGV[1]  incarnation  random, one per start of a process
-- ARGV[2]  creation     number of this lease among those of the incarnation
-- ARGV[3]  keptMs       time that an abandoned lease is kept, in milliseconds
-- Returns 1.
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'creation', ARGV[2], 'counter', 0)
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('SADD', KEYS[2], ARGV[1])
redis.call('HSET', KEYS[3], ARGV[1], ARGV[2] .. ' 0 ')
return 1
