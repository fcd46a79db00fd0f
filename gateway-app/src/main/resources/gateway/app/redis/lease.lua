-- Takes up to ARGV[2] requests of one counter for a node to spend by itself, at most an eighth of what is left (but one).
-- Answers: taken, left to all, reset, retry, first, start
--   first  token bucket: nanoseconds from now until the first taken token's own time; else until the window ends
--          a taken token may be spent until its own time; so those of fast buckets begin a little in the future
--   start  the window's start, by which leftovers are given back
-- or the time alone when a calendar period given is not the one that Redis is in.
local want, kind, requests = tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4])
local a, b = tonumber(ARGV[5]), tonumber(ARGV[6])
if kind == 'c' then
  a, b = a - EPOCH, b - EPOCH
  if now < a or now >= b then return { now + EPOCH } end
end
local start, count, last, earlier = state(KEYS[1], kind, a, b, requests)
if kind == 't' and last < 1000 then
  local ahead = min(20000, b * last / 16)
  if start + count * last < now + ahead then start, count = now + ahead, 0 end
end
local more = left(kind, requests, a, b, start, count, last, earlier)
if more < 1 then
  return { 0, 0, reset(kind, start, count, last), retry(kind, requests, a, b, start, count, last, earlier, 1), 0, 0 }
end
local taken = min(want, ceil(more / 8))
local first = last - now
if kind == 't' then first = start + count * last - now end
count = count + taken
save(KEYS[1], kind, a, start, count, last, earlier)
return { taken, more - taken, reset(kind, start, count, last), 0, floor(first * 1000), floor(start + 0.5) }
