-- ARGV: how many to skip, how many. Answers entries, newest first.
local skip = tonumber(ARGV[1])
local found = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', skip + tonumber(ARGV[2]))
local answer = {}
for i = skip + 1, #found do answer[#answer + 1] = found[i][2][2] end
return answer
