-- What numbers, structs and names say, where functions make it.

local modules = ...
local values, labels = modules.values, modules.labels
local format = string.format

function labels.ipv4(address)
  return format("%d.%d.%d.%d", math.floor(address / 16777216), math.floor(address / 65536) % 256,
    math.floor(address / 256) % 256, address % 256)
end

function labels.time(seconds) return os.date("!%Y-%m-%dT%H:%M:%SZ", seconds) end

function labels.unifiedTime(tree, node)
  local seconds, microseconds = values.numberIn(tree, node, "seconds"), values.numberIn(tree, node, "microseconds")
  if seconds == nil or microseconds == nil then return nil end
  local whole = os.date("!%Y-%m-%dT%H:%M:%S", seconds)
  if microseconds > 999999 then return format("%sZ+%.0fus", whole, microseconds) end
  return format("%s.%06.0fZ", whole, microseconds)
end

-- The age and the page that a sequence number encodes.
function labels.sequenceNumber(number)
  local place = number - 0x21
  if place >= 0 and number < 0xfeff0021 then
    return format("age %d, page %d", math.floor(place / 65536), place % 65536)
  end
  local global = number - 0xff000001
  if global >= 65536 and number < 0xffffffff then
    return format("age %d, page %d", -math.floor(global / 65536), global % 65536)
  end
  if number == 0 then return "fixed keys" end
  if number == 0xffffffff then return "invalid" end
  return number < 0x21 and "local" or "reserved"
end

function labels.bytes(tree, node) return values.hex(tree:bytes(node)) end

-- The first or the last line that is not blank.
function labels.line(tree, node, _, given)
  local found
  for line in (values.textIn(tree, node, given.field) or ""):gmatch("[^\r\n%z]+") do
    if line:find("%S") then
      found = line
      if not given.isLast then break end
    end
  end
  return found
end
