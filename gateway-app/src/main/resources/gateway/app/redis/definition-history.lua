-- ARGV: revisions below this number, how many. Answers their json, newest first.
local number = math.min(tonumber(ARGV[1]) - 1, tonumber(redis.call('GET', KEYS[1]) or '0'))
local answer = {}
while number > 0 and #answer < tonumber(ARGV[2]) do
  local text = redis.call('HGET', KEYS[3], number)
  if not text then break end
  answer[#answer + 1] = text
  number = number - 1
end
return answer
