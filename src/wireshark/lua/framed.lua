-- A protocol whose messages begin with their length and their type: see WiresharkFraming in moul-dissect.

local modules = ...
local numbers, data, entry = modules.numbers.control, modules.data, modules.entry
local sub, format = string.sub, string.format

local session = {}
session.__index = session

local HEAD = math.max(data.length.ends, data.type.ends)

local servers = {}
for _, ports in pairs(modules.ports) do
  for _, port in ipairs(ports) do servers[port] = true end
end

function session.open(opening)
  local magic, isDeclared = data.magic, opening.declared ~= nil
  local function opened(client)
    return { client = client, new = function() return setmetatable({ protocol = data.protocol, greeted = {} }, session) end }
  end
  local fromServer = servers[opening.from.port] and not servers[opening.to.port]
  if magic == nil then
    if not isDeclared and not servers[opening.from.port] and not servers[opening.to.port] then return "no" end
    return opened(fromServer and "to" or "from")
  end
  local function fits(bytes) return #bytes >= #magic and sub(bytes, 1, #magic) == magic end
  if isDeclared or fits(opening.bytes) then return opened(fromServer and "to" or "from") end
  if fits(opening.answer) then return opened("to") end
  local begun = opening.bytes
  return #begun < #magic and sub(magic, 1, #begun) == begun and "more" or "no"
end

function session:next(direction, s, at, limit)
  if data.greeting and not self.greeted[direction] then return { step = "message", entry = entry(data.greeting) } end
  if limit - at < HEAD then return { step = "more", bytes = HEAD } end
  local kind = numbers[data.type.kind](s, at + data.type.at)
  local length = numbers[data.length.kind](s, at + data.length.at) + data.length.plus
  local message = data[direction][kind] or data.unknown
  if length < HEAD then
    return { step = "malformed", name = format("type %.0f", kind), reason = format("a length of %.0f bytes does not even cover the head", length) }
  end
  if message then return { step = "message", entry = entry(message), length = length } end
  return { step = "unknown", name = format("type %.0f", kind), length = length, reason = "messages of this type are not declared" }
end

function session:decoded(direction) self.greeted[direction] = true end

return session
