-- KEYS: as in slot-take.lua. ARGV: a slot. Answers whether it was taken.
return redis.call('ZREM', KEYS[1], ARGV[1])
