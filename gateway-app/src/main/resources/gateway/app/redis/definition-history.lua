-- ARGV: revisions below this number, how many. Answers their json, newest first.
local moved = redis.call('GET', KEYS[4])
local history = moved and KEYS[6] or KEYS[3]
local number = math.min(tonumber(ARGV[1]) - 1, tonumber(moved or redis.call('GET', KEYS[1]) or '0'))
local answer = {}
while number > 0 and #answer < tonumber(ARGV[2]) do
  local text = redis.call('HGET', history, number)
  if not text then break end
  answer[#answer + 1] = text
  number = number - 1
end
return answer
