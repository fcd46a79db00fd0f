-- ARGV: id, expected version or '', new digest or '' to keep it, new json or '' to keep it, channel, milliseconds for
-- which the secret before a new one opens the key too.
-- Answers 'none' when there is no such key, 'version' when it has another, 'secret' when the digest is taken, else 'ok' and
-- the key's new version and json.
local id, expected, digest, json, channel = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local record = redis.call('HGET', KEYS[2], id)
if not record then return { 'none' } end
local version, old, text = string.match(record, '^(%d+) (%x+) (.*)$')
if expected ~= '' and expected ~= version then return { 'version' } end
if digest ~= '' and digest ~= old then
  if redis.call('HEXISTS', KEYS[1], digest) == 1 or redis.call('HEXISTS', KEYS[6], digest) == 1 then return { 'secret' } end
  local former = redis.call('HGET', KEYS[7], id)
  if former then
    redis.call('HDEL', KEYS[6], string.match(former, '^%x+'))
    redis.call('HDEL', KEYS[7], id)
  end
  if tonumber(ARGV[6]) > 0 then
    local time = redis.call('TIME')
    local till = time[1] * 1000 + math.floor(time[2] / 1000) + tonumber(ARGV[6])
    redis.call('HSET', KEYS[6], old, id)
    redis.call('HSET', KEYS[7], id, old .. ' ' .. string.format('%.0f', till))
  end
  redis.call('HDEL', KEYS[1], old)
  redis.call('HSET', KEYS[1], digest, id)
  old = digest
end
if json ~= '' then text = json end
version = redis.call('INCR', KEYS[4])
redis.call('HSET', KEYS[2], id, version .. ' ' .. old .. ' ' .. text)
redis.call('ZADD', KEYS[5], version, id)
redis.call('ZREMRANGEBYRANK', KEYS[5], 0, -10001)
redis.call('PUBLISH', channel, version .. ' ' .. id)
return { 'ok', version, text }
