-- Keys that a capture brings with it. Wireshark shows plugins neither the secrets in a pcapng file nor its custom blocks;
-- but it asks those that read files of their own about each file that is opened. This one looks for such blocks, and then
-- says that the file is not its own, so that Wireshark reads it as ever.

local captureKeys = { texts = {} }

local SECRETS, CUSTOM, CUSTOM_HERE = 10, 0xbad, 0x40000bad
local LITTLE, BIG = "\77\60\43\26", "\26\43\60\77"
-- Most blocks of a file that are looked at, bytes of one that has keys, and texts that are kept: the latest.
local MOST_BLOCKS, LONGEST, MOST_TEXTS = 100000, 1048576, 64

local function number(bytes, at, isLittle)
  local a, b, c, d = bytes:byte(at, at + 3)
  if not isLittle then a, b, c, d = d, c, b, a end
  return a + 256 * b + 65536 * c + 16777216 * d
end

local function keep(text)
  if text == nil or text == "" then return end
  table.insert(captureKeys.texts, text)
  if #captureKeys.texts > MOST_TEXTS then table.remove(captureKeys.texts, 1) end
end

-- The data of a block, without what comes before and after it.
local function dataOf(body, kind, isLittle)
  if kind ~= SECRETS then return body:sub(5) end
  return #body >= 8 and body:sub(9, 8 + number(body, 5, isLittle)) or nil
end

-- Keeps the secrets in a file: `read` returns so many bytes from an offset on, or fewer.
function captureKeys.search(read)
  local at, isLittle = 0, nil
  for _ = 1, MOST_BLOCKS do
    local head = read(at, 12)
    if head == nil or #head < 12 then return end
    local isSection = head:sub(1, 4) == "\10\13\13\10"
    if isSection then
      local order = head:sub(9, 12)
      if order ~= LITTLE and order ~= BIG then return end
      isLittle = order == LITTLE
    elseif isLittle == nil then return
    end
    local kind, length = number(head, 1, isLittle), number(head, 5, isLittle)
    if length < 12 or length % 4 ~= 0 then return end
    if (kind == SECRETS or kind == CUSTOM or kind == CUSTOM_HERE) and length <= LONGEST then
      local body = read(at + 8, length - 12)
      if body == nil or #body < length - 12 then return end
      keep(dataOf(body, kind, isLittle))
    end
    at = at + length
  end
end

local function readOpen(file)
  captureKeys.search(function(at, count)
    if not file:seek("set", at) then return nil end
    return file:read(count)
  end)
end

if rawget(_G, "FileHandler") and rawget(_G, "register_filehandler") then
  -- A handler that is asked first, of the files with a magic number.
  local handler = FileHandler.new("Keys in captures (moul-dissect)", "moul_dissect_keys", "never reads a file itself", "rms")
  function handler.read_open(file)
    pcall(readOpen, file)
    return false
  end
  function handler.read() return false end
  function handler.seek_read() return false end
  register_filehandler(handler)
end

return captureKeys
