-- KEYS: the state of a group. ARGV: a new one, milliseconds for which it is remembered. Entries in another state are
-- found no more, nor kept by whoever has asked for them before. Answers 1.
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
