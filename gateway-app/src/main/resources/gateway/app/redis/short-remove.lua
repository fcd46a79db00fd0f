-- KEYS: a short-term value. Answers how many there were.
return redis.call('DEL', KEYS[1])
