-- How much garbage Lua leaves before it collects. Each time, it goes through all that is kept of a capture; as a rule, it
-- does so whenever its memory has doubled, which is often while there is little of it.

local memory = {}

-- How much memory may have grown, in percent; kilobytes that may be filled; packets between one look and the next.
local USUAL, MOST, SPARE, EVERY = 200, 1000, 131072, 512

local packets = 0

-- Notices that a packet is read: some of the memory that is certainly there may be filled before the next collection.
function memory.notice()
  packets = packets + 1
  if packets % EVERY ~= 1 then return end
  local pause = 100 + 100 * SPARE / collectgarbage("count")
  collectgarbage("setpause", math.floor(math.max(USUAL, math.min(MOST, pause))))
end

return memory
