-- The session keys: those of the key log that the user names.

local modules = ...
local session = modules.session

local keys = { file = "" }

local known = {}

local function readFile()
  if keys.file == "" or session.readKeys == nil then return end
  local file = io.open(keys.file, "rb")
  if file then
    session.readKeys(file:read("*a"), known)
    file:close()
  end
end

function keys.reset()
  known = {}
  readFile()
end

-- The key for a client's public value. A log that is still being written is read again.
function keys.of(y)
  local function found()
    for _, name in ipairs(session.keyNames(y)) do
      if known[name] then return known[name] end
    end
  end
  local key = found()
  if key then return key end
  readFile()
  return found()
end

return keys
