-- ARGV: the version of all keys known. Answers the version now and the ids changed since, or '*' when too many or when Redis
-- has gone back in a failover.
local known = tonumber(ARGV[1])
local version = tonumber(redis.call('GET', KEYS[4]) or '0')
if version == known then return { version } end
if version < known or version - known > 10000 then return { version, '*' } end
local answer = { version }
for i, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[5], '(' .. known, '+inf')) do answer[i + 1] = id end
return answer
