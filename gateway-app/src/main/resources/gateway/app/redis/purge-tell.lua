-- KEYS: the number of the last purge, the last purges by their number. ARGV: a purge, channel, how many are remembered, a
-- mark that no other purge has. Answers its number.
local number = redis.call('INCR', KEYS[1])
redis.call('ZADD', KEYS[2], number, number .. '-' .. ARGV[4] .. ' ' .. ARGV[1])
redis.call('ZREMRANGEBYRANK', KEYS[2], 0, -1 - ARGV[3])
redis.call('PUBLISH', ARGV[2], number)
return number
