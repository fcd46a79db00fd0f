-- ARGV: id, expected version or '', channel. Answers 'none', 'version' or 'ok' and the version of the deletion.
local id, expected, channel = ARGV[1], ARGV[2], ARGV[3]
local record = redis.call('HGET', KEYS[2], id)
if not record then return { 'none' } end
local version, digest = string.match(record, '^(%d+) (%x+) ')
if expected ~= '' and expected ~= version then return { 'version' } end
redis.call('HDEL', KEYS[1], digest)
local former = redis.call('HGET', KEYS[7], id)
if former then
  redis.call('HDEL', KEYS[6], string.match(former, '^%x+'))
  redis.call('HDEL', KEYS[7], id)
end
redis.call('HDEL', KEYS[2], id)
redis.call('ZREM', KEYS[3], id)
version = redis.call('INCR', KEYS[4])
redis.call('ZADD', KEYS[5], version, id)
redis.call('ZREMRANGEBYRANK', KEYS[5], 0, -10001)
redis.call('PUBLISH', channel, version .. ' ' .. id)
return { 'ok', version }
