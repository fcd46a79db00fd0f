-- KEYS: pepper, pepper-check. ARGV: the node's pepper, '' when a setting gives it, and its check.
-- Keeps what is missing as far as it fits what is kept; answers the check and the pepper kept then, '' for none, and '1' when
-- something was missing. Check and pepper are never of two nodes.
local ours, check = ARGV[1], ARGV[2]
local pepper = redis.call('GET', KEYS[1]) or ''
local kept = redis.call('GET', KEYS[2]) or ''
local missing = '0'
if ours ~= '' and pepper == '' and (kept == '' or kept == check) then
  redis.call('SET', KEYS[1], ours)
  pepper, missing = ours, '1'
end
if kept == '' and pepper == ours then
  redis.call('SET', KEYS[2], check)
  kept, missing = check, '1'
end
return { kept, pepper, missing }
