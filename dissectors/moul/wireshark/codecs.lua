-- Twins of codecs and labels of MOUL's declarations.

local modules = ...
local bits, text, numbers, codecs, labels = modules.bits, modules.text, modules.numbers, modules.codecs, modules.labels
local byte, sub, char, gsub, format = string.byte, string.sub, string.char, string.gsub, string.format
local u16 = numbers.control.u16le

local function inverted(bytes)
  return (gsub(bytes, ".", function(one) return char(255 - byte(one)) end))
end

codecs.SafeString = {
  measure = function(_, s, start, limit)
    if start + 2 > limit then return -2 end
    local word = u16(s, start)
    local length = 2 + (word < 0x1000 and 2 or 0) + word % 0x1000
    return start + length > limit and -length or length
  end,
  read = function(_, s, start, finish)
    local first = finish - u16(s, start) % 0x1000
    local content = sub(s, first + 1, finish)
    if (byte(content, 1) or 0) < 0x80 then return text.decode(content) end
    return text.decode(inverted(content))
  end,
}

codecs.SafeWString = {
  measure = function(spec, s, start, limit)
    if start + 2 > limit then return -2 end
    local units = u16(s, start) % 0x1000
    local left = limit - start - 2
    if units == 0 then
      return (left >= 2 and left > spec.followedBy and u16(s, start + 2) == 0) and 4 or 2
    end
    local length = 2 + 2 * units + 2
    return start + length > limit and -length or length
  end,
  read = function(_, s, start, finish)
    return text.decodeUtf16(inverted(sub(s, start + 3, math.max(finish - 2, start + 2))))
  end,
}

function labels.ipv4(address)
  return format("%d.%d.%d.%d", math.floor(address / 16777216), math.floor(address / 65536) % 256,
    math.floor(address / 256) % 256, address % 256)
end

function labels.time(seconds) return os.date("!%Y-%m-%dT%H:%M:%SZ", seconds) end

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
