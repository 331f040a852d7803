-- Leaves whose own bytes say how long they are. A codec has
--   measure(spec, s, start, limit): the length of the leaf, or the number of bytes needed at least, negated;
--   read(spec, s, start, finish): its value, a text, a number, or bytes (where `spec.bytes` is true);
--   problem(spec, s, start, finish), remark(spec, s, start, finish): what is wrong or odd about it, or nil.
-- Offsets count from 0, and `finish` is the offset after the last byte. Dissectors add their own.

local modules = ...
local text, numbers, bits = modules.text, modules.numbers, modules.bits
local byte, sub, find = string.byte, string.sub, string.find

local codecs = {}

local function claimed(spec, number)
  return (spec.mask and bits.band(number, spec.mask) or number) * spec.times + spec.plus
end

local function isLength(number) return number >= 0 and number % 1 == 0 end

-- The length in front of a leaf: its width, and the number in it.
local function prefixWidth(spec, s, start, limit)
  local inner = spec.length
  if inner.codec then return codecs[inner.codec.form].measure(inner.codec, s, start, limit) end
  if start + inner.width > limit then return -inner.width end
  return inner.width
end

local function prefixNumber(spec, s, start, width)
  local inner = spec.length
  if inner.codec then return codecs[inner.codec.form].read(inner.codec, s, start, start + width) end
  return numbers.control[inner.kind](s, start)
end

codecs.prefixed = {
  measure = function(spec, s, start, limit)
    local width = prefixWidth(spec, s, start, limit)
    if width < 0 then return width end
    local length = claimed(spec, prefixNumber(spec, s, start, width))
    length = isLength(length) and width + length or width
    if start + length > limit then return -length end
    return length
  end,
  read = function(spec, s, start, finish)
    local after = start + prefixWidth(spec, s, start, finish)
    local content = sub(s, after + 1, finish)
    if spec.content == "bytes" then return content end
    local encoding = spec.content == "utf16le" and "utf16le" or "utf8"
    if spec.endsWithZero then return text.counted(content, encoding) end
    return encoding == "utf8" and text.decode(content) or text.decodeUtf16(content)
  end,
  problem = function(spec, s, start, finish)
    local length = claimed(spec, prefixNumber(spec, s, start, prefixWidth(spec, s, start, finish)))
    if not isLength(length) then return string.format("would have a length of %g", length) end
  end,
  remark = function(spec, s, start, finish)
    if spec.content ~= "utf16le" then return nil end
    return text.halfUnit(finish - start - prefixWidth(spec, s, start, finish))
  end,
}

local function toZero(s, start, limit)
  local zero = find(s, "\0", start + 1, true)
  if zero and zero <= limit then return zero - start end
  return -(limit - start + 1)
end

local function toZeroUnit(s, start, limit)
  local at = start
  while at + 2 <= limit do
    local low, high = byte(s, at + 1, at + 2)
    if low == 0 and high == 0 then return at + 2 - start end
    at = at + 2
  end
  return -(limit - start + 2)
end

codecs.terminated = {
  measure = function(spec, s, start, limit)
    local wide = spec.encoding == "utf16le"
    local length = (wide and toZeroUnit or toZero)(s, start, limit)
    if length > 0 or not spec.zeroMayBeMissing then return length end
    local left = limit - start
    return (wide and left % 2 == 1) and -(left + 1) or left
  end,
  read = function(spec, s, start, finish) return text.counted(sub(s, start + 1, finish), spec.encoding) end,
}

return codecs
