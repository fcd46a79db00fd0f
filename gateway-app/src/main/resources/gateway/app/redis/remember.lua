-- Keeps ARGV[1] under KEYS[1] unless something is kept there already; answers what is kept now.
redis.call('SET', KEYS[1], ARGV[1], 'NX')
return redis.call('GET', KEYS[1])
