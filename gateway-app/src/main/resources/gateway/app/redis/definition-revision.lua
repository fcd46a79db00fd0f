-- Answers the stored revision.
return { tonumber(redis.call('GET', KEYS[4]) or redis.call('GET', KEYS[1]) or '0') }
