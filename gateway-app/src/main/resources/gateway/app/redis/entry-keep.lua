-- KEYS: as in entry-find. ARGV: the state in which the entry was asked for, a new one, milliseconds, the entry. Answers 1
-- when it is kept, 0 when its group was forgotten meanwhile.
local state = redis.call('GET', KEYS[1]) or ''
if state ~= ARGV[1] then return 0 end
if state == '' then
  state = ARGV[2]
  redis.call('SET', KEYS[1], state, 'PX', ARGV[3])
elseif redis.call('PTTL', KEYS[1]) < tonumber(ARGV[3]) then
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
end
redis.call('SET', KEYS[2], state .. ' ' .. ARGV[4], 'PX', ARGV[3])
return 1
