-- KEYS: as in slot-take.lua. ARGV: a lease's milliseconds, slots that are still taken. A Redis that has lost them gets
-- them back. Answers 1.
local time = redis.call('TIME')
local ends = time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[1]
for i = 2, #ARGV do redis.call('ZADD', KEYS[1], ends, ARGV[i]) end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1
