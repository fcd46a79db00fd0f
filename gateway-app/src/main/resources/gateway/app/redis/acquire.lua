-- Decides all charges of one request, all or none. ARGV[2]: 1 to spend, 0 to look only.
-- Answers five numbers a charge: granted (1, 0), remaining, reset, retry, and the mark by which it can be given back (the
-- window's start; of a bucket, the token's own time); or the time alone when a calendar period given
-- is not the one that Redis is in.
local spend = ARGV[2] == '1'
local charges = {}
local granted = true
for i = 1, #KEYS do
  local at = 4 * i - 1
  local kind, requests, a, b = ARGV[at], tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3])
  local amount = 1
  if #kind > 1 then kind, amount = string.sub(kind, 1, 1), tonumber(string.sub(kind, 2)) end
  if kind == 'c' then
    a, b = a - EPOCH, b - EPOCH
    if now < a or now >= b then return { now + EPOCH } end
  end
  local start, count, last, earlier = state(KEYS[i], kind, a, b, requests)
  local more = left(kind, requests, a, b, start, count, last, earlier)
  if more < amount then granted = false end
  charges[i] = { kind, requests, a, b, start, count, last, earlier, more, amount }
end
local answer = {}
for i = 1, #KEYS do
  local kind, requests, a, b, start, count, last, earlier, more, amount = unpack(charges[i])
  local at = 5 * i - 4
  answer[at + 4] = kind == 't' and floor(start + count * last) or floor(start + 0.5)
  if more < amount then
    answer[at], answer[at + 1] = 0, max(0, more)
    answer[at + 3] = retry(kind, requests, a, b, start, count, last, earlier, amount)
  else
    answer[at], answer[at + 3] = 1, 0
    if spend then
      count = count + amount
      more = more - amount
      if granted then save(KEYS[i], kind, a, start, count, last, earlier) end
    end
    answer[at + 1] = more
  end
  answer[at + 2] = reset(kind, start, count, last)
end
return answer
