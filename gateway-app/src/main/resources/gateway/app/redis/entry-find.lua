-- KEYS: the state of a group, an entry of it. Answers the state and the entry, as far as it was kept in this state.
local state = redis.call('GET', KEYS[1]) or ''
local entry = redis.call('GET', KEYS[2])
if not entry or state == '' then return { state } end
if string.sub(entry, 1, #state + 1) ~= state .. ' ' then return { state } end
return { state, string.sub(entry, #state + 2) }
