-- ARGV: digest. Answers the content in Base64, or nil.
return { redis.call('HGET', KEYS[1], ARGV[1]) or false }
