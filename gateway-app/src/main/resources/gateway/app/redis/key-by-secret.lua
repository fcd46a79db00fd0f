-- KEYS further: pepper-check. ARGV: digest. Answers the check of the pepper that the digests kept are made with, '' for none,
-- the version of all keys, and when the digest is known the id and record of its key. 'former' stands behind these when it
-- is the key's secret before the present one, which opens it for a while.
local check = redis.call('GET', KEYS[8]) or ''
local version = redis.call('GET', KEYS[4]) or '0'
local id = redis.call('HGET', KEYS[1], ARGV[1])
if not id then
  id = redis.call('HGET', KEYS[6], ARGV[1])
  local former = id and redis.call('HGET', KEYS[7], id)
  local record = former and redis.call('HGET', KEYS[2], id)
  if not record then return { check, version } end
  local time = redis.call('TIME')
  if tonumber(string.match(former, '^%x+ (%d+)$')) <= time[1] * 1000 + math.floor(time[2] / 1000) then return { check, version } end
  return { check, version, id, record, 'former' }
end
return { check, version, id, redis.call('HGET', KEYS[2], id) }
