-- ARGV: id. Answers its record or nil.
return { redis.call('HGET', KEYS[2], ARGV[1]) }
