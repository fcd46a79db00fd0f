-- ARGV: the id to begin after or '', how many. Answers ids and records in order of id.
local from = '-'
if ARGV[1] ~= '' then from = '(' .. ARGV[1] end
local ids = redis.call('ZRANGEBYLEX', KEYS[3], from, '+', 'LIMIT', 0, ARGV[2])
local answer = {}
for i, id in ipairs(ids) do
  answer[2 * i - 1], answer[2 * i] = id, redis.call('HGET', KEYS[2], id)
end
return answer
