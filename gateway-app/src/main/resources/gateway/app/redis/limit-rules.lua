-- Counting rules shared by the limit scripts. Times are microseconds since 2025 (EPOCH), so that doubles keep fractions.
-- ARGV[1]: the time to go by in microseconds since 1970, or '' for Redis' own clock, on which all nodes agree.
-- A charge is four arguments: kind, requests, a, b; an amount other than 1 stands behind the letter of the kind.
--   t  token bucket     a = period, b = burst             state: anchor tokens interval   (full at anchor + tokens * interval)
--   s  sliding window   a = period                        state: start count earlier-count
--   f  fixed window     a = period                        state: start count
--   r  rolling period   a = period                        state: start count
--   c  calendar period  a, b = its start and end          state: start count
local EPOCH = 1735689600000000
local now
if ARGV[1] == '' then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2] - EPOCH
else
  now = tonumber(ARGV[1]) - EPOCH
end
local floor, ceil, max, min, format, match = math.floor, math.ceil, math.max, math.min, string.format, string.match

-- The counter's state now: anchor or start, tokens or count, interval or end, earlier count.
local function state(key, kind, a, b, requests)
  local stored = redis.call('GET', key)
  if kind == 't' then
    local interval = a / requests
    if not stored then return now, 0, interval, 0 end
    local anchor, tokens, old = match(stored, '^(%S+) (%S+) (%S+)$')
    anchor, tokens, old = tonumber(anchor), tonumber(tokens), tonumber(old)
    if old ~= interval then anchor, tokens = anchor + tokens * old, 0 end
    if anchor + tokens * interval <= now then return now, 0, interval, 0 end
    return anchor, tokens, interval, 0
  end
  local start, count, earlier
  if stored then
    start, count, earlier = match(stored, '^(%S+) (%S+) ?(%S*)$')
    start, count, earlier = tonumber(start), tonumber(count), tonumber(earlier) or 0
  end
  if kind == 'r' then
    if not start or now >= start + a then return now, 0, now + a, 0 end
    return start, count, start + a, 0
  end
  local first, last = a, b
  if kind ~= 'c' then
    first = floor((now + EPOCH) / a) * a - EPOCH
    last = first + a
  end
  if not start then return first, 0, last, 0 end
  -- a start still to come was counted before Redis' clock went back in a failover: go on with it
  if start >= first then return start, count, last + (start - first), earlier end
  if kind == 's' and start + a >= first then return first, 0, last, count end
  return first, 0, last, 0
end

-- How many more may be granted now.
local function left(kind, requests, a, b, start, count, last, earlier)
  if kind == 't' then return floor(b - count + (now - start) / last + 0.000001) end
  if kind == 's' and earlier > 0 then
    return floor(requests - count - earlier * (last - now) / a + 0.000001)
  end
  return requests - count
end

-- Microseconds until the window is new or the bucket full.
local function reset(kind, start, count, last)
  if kind == 't' then return max(0, ceil(count * last - (now - start) - 0.001)) end
  return max(0, ceil(last - now))
end

-- Microseconds until `amount` more may be granted, when they may not now.
local function retry(kind, requests, a, b, start, count, last, earlier, amount)
  if kind == 't' then return max(1, ceil((count + amount - b) * last - (now - start) - 0.001)) end
  if kind ~= 's' then return max(1, ceil(last - now)) end
  if count + amount <= requests then
    return max(1, ceil(last - a * (requests - count - amount) / earlier - now - 0.001))
  end
  if amount > requests then return max(1, ceil(last + a - now)) end
  return max(1, ceil(last + a - a * (requests - amount) / count - now - 0.001))
end

local function save(key, kind, a, start, count, last, earlier)
  if kind == 't' then
    redis.call('SET', key, format('%.3f %.0f %.17g', start, count, last), 'PX',
      format('%.0f', max(0, start + count * last - now) / 1000 + 1000))
    return
  end
  local expires = last
  local text
  if kind == 's' then
    expires = last + a
    text = format('%.3f %.0f %.0f', start, count, earlier)
  else
    text = format('%.3f %.0f', start, count)
  end
  redis.call('SET', key, text, 'PX', format('%.0f', max(0, expires - now) / 1000 + 1000))
end
