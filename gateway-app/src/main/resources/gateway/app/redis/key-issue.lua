-- KEYS of every key script: secrets (digest -> id), keys (id -> "version digest json"), ids, version, changes (id by
-- version), former-secrets (digest -> id), former (id -> "digest until", in milliseconds)
-- ARGV: id, digest, json, channel. Answers 'id' or 'secret' when that is taken, else 'ok' and the key's version.
local id, digest, json, channel = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
if redis.call('HEXISTS', KEYS[2], id) == 1 then return { 'id' } end
if redis.call('HEXISTS', KEYS[1], digest) == 1 or redis.call('HEXISTS', KEYS[6], digest) == 1 then return { 'secret' } end
local version = redis.call('INCR', KEYS[4])
redis.call('HSET', KEYS[1], digest, id)
redis.call('HSET', KEYS[2], id, version .. ' ' .. digest .. ' ' .. json)
redis.call('ZADD', KEYS[3], 0, id)
redis.call('ZADD', KEYS[5], version, id)
redis.call('ZREMRANGEBYRANK', KEYS[5], 0, -10001)
redis.call('PUBLISH', channel, version .. ' ' .. id)
return { 'ok', version }
