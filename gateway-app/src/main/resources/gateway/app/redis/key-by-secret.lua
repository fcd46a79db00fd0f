-- KEYS further: pepper-check. ARGV: digest. Answers the check of the pepper that the digests kept are made with, '' for none,
-- the version of all keys, and when the digest is known the id and record of its key.
local check = redis.call('GET', KEYS[6]) or ''
local version = redis.call('GET', KEYS[4]) or '0'
local id = redis.call('HGET', KEYS[1], ARGV[1])
if not id then return { check, version } end
return { check, version, id, redis.call('HGET', KEYS[2], id) }
