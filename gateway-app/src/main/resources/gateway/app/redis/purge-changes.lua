-- KEYS: as in purge-tell. ARGV: the last number known, or -1, and what that purge was told as. Answers the number now, what
-- its purge was told as, 1 when the known one is still what stands under its number, and, where one was known, the
-- purges since then that are remembered.
local known = tonumber(ARGV[1])
local number = tonumber(redis.call('GET', KEYS[1]) or '0')
local function told(at)
  local purge = redis.call('ZRANGEBYSCORE', KEYS[2], at, at)[1]
  return purge and string.match(purge, '^[^ ]*') or ''
end
local same = 0
if told(known) == ARGV[2] then same = 1 end
local answer = { number, told(number), same }
if known < 0 or number <= known then return answer end
for i, purge in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. known, '+inf')) do answer[i + 3] = purge end
return answer
