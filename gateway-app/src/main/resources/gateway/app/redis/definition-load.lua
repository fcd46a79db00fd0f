-- Answers the revision, then id and json of each definition.
local answer = redis.call('HGETALL', KEYS[2])
table.insert(answer, 1, redis.call('GET', KEYS[1]) or '0')
return answer
