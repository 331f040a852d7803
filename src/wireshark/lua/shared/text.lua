-- Texts of captures as UTF-8, which is what Wireshark shows.

local byte, char, sub, find, gsub, concat = string.byte, string.char, string.sub, string.find, string.gsub, table.concat

local text = {}

-- The UTF-8 of a code point.
local function utf8(code)
  if code < 0x80 then return char(code) end
  if code < 0x800 then return char(0xC0 + math.floor(code / 64), 0x80 + code % 64) end
  if code < 0x10000 then
    return char(0xE0 + math.floor(code / 4096), 0x80 + math.floor(code / 64) % 64, 0x80 + code % 64)
  end
  return char(
    0xF0 + math.floor(code / 262144), 0x80 + math.floor(code / 4096) % 64,
    0x80 + math.floor(code / 64) % 64, 0x80 + code % 64
  )
end

-- The least code point that takes this many bytes, by the number of bytes that follow the first.
local LEAST = { 0x80, 0x800, 0x10000 }

local function isUtf8(bytes)
  local at, length = 1, #bytes
  while true do
    at = find(bytes, "[\128-\255]", at)
    if at == nil then return true end
    local first = byte(bytes, at)
    local more = first >= 0xF0 and 3 or first >= 0xE0 and 2 or 1
    if first < 0xC2 or first > 0xF4 or at + more > length then return false end
    local code = first - (more == 3 and 0xF0 or more == 2 and 0xE0 or 0xC0)
    for index = at + 1, at + more do
      local next = byte(bytes, index)
      if next < 0x80 or next > 0xBF then return false end
      code = code * 64 + next - 0x80
    end
    if code < LEAST[more] or code > 0x10FFFF or (code >= 0xD800 and code <= 0xDFFF) then return false end
    at = at + more + 1
  end
end

-- 8-bit text: UTF-8 if that is what it is, else Latin-1.
function text.decode(bytes)
  if not find(bytes, "[\128-\255]") or isUtf8(bytes) then return bytes end
  return (gsub(bytes, "[\128-\255]", function(one) return utf8(byte(one)) end))
end

-- UTF-16 text (little-endian); half a surrogate pair becomes the replacement character.
function text.decodeUtf16(bytes)
  local parts = {}
  local at, length = 1, #bytes - #bytes % 2
  while at < length do
    local low, high = byte(bytes, at, at + 1)
    local code = low + 256 * high
    at = at + 2
    if code >= 0xD800 and code <= 0xDFFF then
      local nextLow, nextHigh = byte(bytes, at, at + 1)
      local second = (nextHigh and code < 0xDC00) and nextLow + 256 * nextHigh or 0
      if second >= 0xDC00 and second <= 0xDFFF then
        code = 0x10000 + (code - 0xD800) * 1024 + second - 0xDC00
        at = at + 2
      else
        code = 0xFFFD
      end
    end
    parts[#parts + 1] = utf8(code)
  end
  return concat(parts)
end

-- Text in a field of fixed width: up to its first zero.
function text.fixed(bytes, encoding)
  if encoding == "utf16le" then
    local stop = 1
    while stop < #bytes and (byte(bytes, stop) ~= 0 or byte(bytes, stop + 1) ~= 0) do stop = stop + 2 end
    return text.decodeUtf16(sub(bytes, 1, stop - 1))
  end
  local zero = find(bytes, "\0", 1, true)
  return text.decode(zero and sub(bytes, 1, zero - 1) or bytes)
end

-- Text of a counted length, without a zero at its end that was counted.
function text.counted(bytes, encoding)
  if encoding == "utf16le" then
    local stop = #bytes - #bytes % 2
    if stop > 0 and byte(bytes, stop) == 0 and byte(bytes, stop - 1) == 0 then stop = stop - 2 end
    return text.decodeUtf16(sub(bytes, 1, stop))
  end
  if byte(bytes, -1) == 0 then return text.decode(sub(bytes, 1, -2)) end
  return text.decode(bytes)
end

-- A remark on UTF-16 text of this length in bytes, if it has an odd one.
function text.halfUnit(length)
  if length % 2 == 1 then return "its last byte is half a UTF-16 unit, and is not in the text" end
end

return text
