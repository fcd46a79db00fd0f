-- ARGV: digest. Answers the version of all keys, and when the digest is known the id and record of its key.
local version = redis.call('GET', KEYS[4]) or '0'
local id = redis.call('HGET', KEYS[1], ARGV[1])
if not id then return { version } end
return { version, id, redis.call('HGET', KEYS[2], id) }
