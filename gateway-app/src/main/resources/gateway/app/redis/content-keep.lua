-- KEYS of every content script: contents (digest -> Base64), when each was kept last (digest -> seconds), documents,
-- history.
-- ARGV: digest, Base64.
redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2])
redis.call('HSET', KEYS[2], ARGV[1], redis.call('TIME')[1])
return { 1 }
