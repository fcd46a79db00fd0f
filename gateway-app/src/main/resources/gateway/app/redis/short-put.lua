-- KEYS: a short-term value. ARGV: text, milliseconds. Answers 1.
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
