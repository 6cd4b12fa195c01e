-- Notes what a node has read of the store. While nodes use a store, neither another one nor an older timeline or era is noted.
-- KEYS[1]  store  {posthorn:cluster}:store       hash: system, timeline, era, counter, position, epoch
-- KEYS[2]  used   {posthorn:cluster}:store:used  exists while nodes use that store
-- ARGV[1]  system identifier of the data
-- ARGV[2]  timeline of the log
-- ARGV[3]  era
-- ARGV[4]  counter of changes of nodes and owners
-- ARGV[5]  position in the log
-- ARGV[6]  the highest epoch of a shard
-- ARGV[7]  time after which nobody uses the store, in milliseconds
-- Returns { '1' when nodes use the noted store, system, timeline, era, counter, position, epoch } as they were before; '' for what is not there.
local names = { 'system', 'timeline', 'era', 'counter', 'position', 'epoch' }
local known = redis.call('HMGET', KEYS[1], unpack(names))
local answer = { tostring(redis.call('EXISTS', KEYS[2])) }
for index = 1, #names do answer[index + 1] = known[index] or '' end
local function number(value) return tonumber(value or '0') or 0 end
local timeline, era = tonumber(ARGV[2]), tonumber(ARGV[3])
local isOther = known[1] ~= ARGV[1]
if known[1] and answer[1] == '1' and (isOther or timeline < number(known[2]) or era < number(known[3])) then return answer end
local isNew = isOther or timeline ~= number(known[2]) or era > number(known[3])
local position = isNew and tonumber(ARGV[5]) or math.max(number(known[5]), tonumber(ARGV[5]))
redis.call('HSET', KEYS[1], 'system', ARGV[1], 'timeline', ARGV[2], 'era', string.format('%.0f', math.max(era, number(known[3]))),
  'counter', string.format('%.0f', math.max(number(known[4]), tonumber(ARGV[4]))), 'position', string.format('%.0f', position),
  'epoch', string.format('%.0f', math.max(number(known[6]), tonumber(ARGV[6]))))
redis.call('SET', KEYS[2], '1', 'PX', ARGV[7])
return answer
