-- Twins of codecs of MOUL's declarations.

local modules = ...
local text, numbers, codecs = modules.text, modules.numbers, modules.codecs
local byte, sub, char, gsub = string.byte, string.sub, string.char, string.gsub
local u16 = numbers.control.u16le

local INVERTED = {}
for one = 0, 255 do INVERTED[char(one)] = char(255 - one) end

local function inverted(bytes) return (gsub(bytes, ".", INVERTED)) end

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
