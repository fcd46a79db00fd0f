-- Removes contents that no document and no revision names and that were not kept within the hour.
-- Answers how many.
local before = tonumber(redis.call('TIME')[1]) - 3600
local old = {}
local left = 0
local kept = redis.call('HGETALL', KEYS[2])
for i = 1, #kept, 2 do
  if tonumber(kept[i + 1]) < before then
    old[kept[i]] = true
    left = left + 1
  end
end
if left == 0 then return { 0 } end
for _, key in ipairs({ KEYS[3], KEYS[4] }) do
  for _, text in ipairs(redis.call('HVALS', key)) do
    for digest in string.gmatch(text, 'sha256\\?"%s*:%s*\\?"(%x+)') do
      old[digest] = nil
    end
  end
end
local removed = 0
for digest in pairs(old) do
  removed = removed + redis.call('HDEL', KEYS[1], digest)
  redis.call('HDEL', KEYS[2], digest)
end
return { removed }
