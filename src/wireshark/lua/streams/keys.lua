-- The session keys: those of the key log that the user names, and those in captures.

local modules = ...
local session, captureKeys = modules.session, modules.captureKeys

local keys = { file = "" }

local known, length = {}, -1

-- Reads the file, unless it is as long as before.
local function readFile()
  if keys.file == "" or session.readKeys == nil then return end
  local file = io.open(keys.file, "rb")
  if file then
    local now = file:seek("end")
    if now ~= length and file:seek("set") then session.readKeys(file:read("*a") or "", known) end
    length = now
    file:close()
  end
end

function keys.reset()
  known, length = {}, -1
  if session.readKeys then
    for _, text in ipairs(captureKeys.texts) do session.readKeys(text, known) end
  end
  readFile()
end

-- The key for a client's public value. A log that has grown since, as in a live capture, is read again.
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
