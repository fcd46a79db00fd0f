-- Gives back ARGV[2] requests of one counter that were taken and not spent. ARGV[7]: the start of the window they were taken
-- in, or '' for the present one; another window has nothing to do with them. Of a bucket: the own time of the first token, or ''
-- when that of none has passed. From then on the bucket might have stood full but for them, so what flowed in since is
-- not given back with them.
local amount, kind, requests = tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4])
local a, b = tonumber(ARGV[5]), tonumber(ARGV[6])
if kind == 'c' then a, b = a - EPOCH, b - EPOCH end
local start, count, last, earlier = state(KEYS[1], kind, a, b, requests)
local given = tonumber(ARGV[7])
if kind == 't' and given and now > given then
  if count == 0 or now >= given + amount * last then return 0 end
  start = start + now - given
end
if kind == 't' or not given or floor(start + 0.5) == given then
  if count == 0 then return 0 end
  count = max(0, count - amount)
elseif kind == 's' and floor(start - a + 0.5) == given then
  earlier = max(0, earlier - amount)
else
  return 0
end
save(KEYS[1], kind, a, start, count, last, earlier)
return 1
