-- ARGV: the entry, how many to keep.
redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[2], '*', 'entry', ARGV[1])
return 1
