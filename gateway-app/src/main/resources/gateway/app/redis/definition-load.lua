-- Answers the revision, then field and json of each document.
local moved = redis.call('GET', KEYS[4])
local answer = redis.call('HGETALL', moved and KEYS[5] or KEYS[2])
table.insert(answer, 1, moved or redis.call('GET', KEYS[1]) or '0')
return answer
