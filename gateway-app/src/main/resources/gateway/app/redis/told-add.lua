-- KEYS: how much was told, the last of it by number. ARGV: a text, channel, how many are remembered, a mark that no other
-- text has. Answers the text's number.
local number = redis.call('INCR', KEYS[1])
redis.call('ZADD', KEYS[2], number, number .. '-' .. ARGV[4] .. ' ' .. ARGV[1])
redis.call('ZREMRANGEBYRANK', KEYS[2], 0, -1 - ARGV[3])
redis.call('PUBLISH', ARGV[2], number)
return number
