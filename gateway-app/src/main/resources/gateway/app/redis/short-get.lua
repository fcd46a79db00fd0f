-- KEYS: a short-term value. Answers its text, or nil.
return { redis.call('GET', KEYS[1]) }
