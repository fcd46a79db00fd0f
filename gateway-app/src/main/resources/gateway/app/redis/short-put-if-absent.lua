-- KEYS: a short-term value. ARGV: text, milliseconds. Answers 1 when it is new, else 0 and changes nothing.
if redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2], 'NX') then return 1 end
return 0
