-- KEYS: as in entry-find. ARGV: the state in which the entry was asked for, or nothing where there was none; that state,
-- or the one that is to be then; milliseconds; the entry. A state is there as long as the last entry that was kept in it.
-- Answers 1 when it is kept, 0 when its group was forgotten meanwhile.
local state = redis.call('GET', KEYS[1]) or ''
if state ~= ARGV[1] and state ~= ARGV[2] then return 0 end
local longest = math.max(tonumber(ARGV[3]), redis.call('PTTL', KEYS[1]))
redis.call('SET', KEYS[1], ARGV[2], 'PX', longest)
redis.call('SET', KEYS[2], ARGV[2] .. ' ' .. ARGV[4], 'PX', ARGV[3])
return 1
