-- KEYS of every definition script: revision, documents (field -> json), history (number -> json); then the same three
-- of the place where they stand since a document was written that 0.1 does not know. The field of an API is its id, of
-- others kind/id.
-- ARGV: number, the revision's json, channel, channel of 0.1, '1' when a document is among the changes that 0.1 does not
-- know, then field and json ('' deletes) of each change.
-- Answers the stored revision: the number when committed.
local moved = redis.call('GET', KEYS[4])
local number = tonumber(ARGV[1])
local stored = tonumber(moved or redis.call('GET', KEYS[1]) or '0')
if stored ~= number - 1 then return { 0, stored } end
if not moved and ARGV[5] == '1' then
  if stored > 0 then
    redis.call('RENAME', KEYS[1], KEYS[4])
    redis.call('RENAME', KEYS[3], KEYS[6])
    if redis.call('EXISTS', KEYS[2]) == 1 then redis.call('RENAME', KEYS[2], KEYS[5]) end
  end
  redis.call('SET', KEYS[2], 'moved to ' .. KEYS[5]) -- no hash: a node of 0.1 refuses to start on it
  moved = number
end
local at = moved and 3 or 0
for i = 6, #ARGV, 2 do
  if ARGV[i + 1] == '' then
    redis.call('HDEL', KEYS[at + 2], ARGV[i])
  else
    redis.call('HSET', KEYS[at + 2], ARGV[i], ARGV[i + 1])
  end
end
redis.call('HSET', KEYS[at + 3], number, ARGV[2])
redis.call('HDEL', KEYS[at + 3], number - 1000)
redis.call('SET', KEYS[at + 1], number)
redis.call('PUBLISH', ARGV[3], number)
if not moved then redis.call('PUBLISH', ARGV[4], number) end
return { 1, number }
