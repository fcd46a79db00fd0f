-- KEYS of every definition script: revision, documents (id -> json), history (number -> json)
-- ARGV: number, the revision's json, channel, then id and json ('' deletes) of each change.
-- Answers the stored revision: the number when committed.
local number = tonumber(ARGV[1])
local stored = tonumber(redis.call('GET', KEYS[1]) or '0')
if stored ~= number - 1 then return { 0, stored } end
for i = 4, #ARGV, 2 do
  if ARGV[i + 1] == '' then
    redis.call('HDEL', KEYS[2], ARGV[i])
  else
    redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1])
  end
end
redis.call('HSET', KEYS[3], number, ARGV[2])
redis.call('HDEL', KEYS[3], number - 1000)
redis.call('SET', KEYS[1], number)
redis.call('PUBLISH', ARGV[3], number)
return { 1, number }
