-- KEYS: as in purge-tell. ARGV: the last number known, or -1. Answers the number now and, where one was known, the purges
-- since then that are remembered.
local known = tonumber(ARGV[1])
local number = tonumber(redis.call('GET', KEYS[1]) or '0')
local answer = { number }
if known < 0 or number <= known then return answer end
for i, purge in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. known, '+inf')) do answer[i + 1] = purge end
return answer
