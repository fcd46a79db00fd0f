-- ARGV: id, expected version or '', new digest or '' to keep it, new json or '' to keep it, channel.
-- Answers 'none' when there is no such key, 'version' when it has another, 'secret' when the digest is taken, else 'ok' and
-- the key's new version and json.
local id, expected, digest, json, channel = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local record = redis.call('HGET', KEYS[2], id)
if not record then return { 'none' } end
local version, old, text = string.match(record, '^(%d+) (%x+) (.*)$')
if expected ~= '' and expected ~= version then return { 'version' } end
if digest ~= '' and digest ~= old then
  if redis.call('HEXISTS', KEYS[1], digest) == 1 then return { 'secret' } end
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
