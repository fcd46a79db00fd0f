-- KEYS: as in told-add. ARGV: the last number known, or -1, number and mark that its text was told as, most texts of an
-- answer. Answers the number now, number and mark of its text, whether what is known still stands (1: yes, 0: something
-- else does, 2: nobody knows, since not all texts since then are remembered), and the first texts since then.
local known = tonumber(ARGV[1])
local number = tonumber(redis.call('GET', KEYS[1]) or '0')
local function told(at)
  local text = redis.call('ZRANGEBYSCORE', KEYS[2], at, at)[1]
  return text and string.match(text, '^[^ ]*') or ''
end
local isGone = told(known) == '' and ARGV[2] ~= ''
if number > known and (isGone or told(known + 1) == '') then return { number, told(number), 2 } end
if number < known or told(known) ~= ARGV[2] then return { number, told(number), 0 } end
local answer = { number, told(number), 1 }
if number == known then return answer end
local texts = redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. known, '+inf', 'LIMIT', 0, ARGV[3])
for i, text in ipairs(texts) do answer[i + 3] = text end
return answer
