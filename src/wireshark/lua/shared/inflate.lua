-- Inflates zlib streams (RFC 1950, RFC 1951), with limits: Wireshark's own function says neither how much a stream would
-- take nor what is wrong with it.

local byte, char, concat = string.byte, string.char, table.concat
local unpack = table.unpack or unpack

local CHUNK = 128

-- What stops inflating: the text is what is wrong.
local function stop(text) error({ inflate = text }, 0) end

local ENDS_EARLY = "is not a complete zlib stream (it ends early)"

local function huffman(lengths, first, last)
  local counts, offsets, symbols = {}, {}, {}
  for length = 0, 15 do counts[length] = 0 end
  for symbol = first, last do counts[lengths[symbol]] = counts[lengths[symbol]] + 1 end
  offsets[1] = 0
  for length = 1, 14 do offsets[length + 1] = offsets[length] + counts[length] end
  local left = 1
  for length = 1, 15 do
    left = left * 2 - counts[length]
    if left < 0 then stop("is not a complete zlib stream (its code lengths make no sense)") end
  end
  for symbol = first, last do
    local length = lengths[symbol]
    if length ~= 0 then
      symbols[offsets[length]] = symbol - first
      offsets[length] = offsets[length] + 1
    end
  end
  return { counts = counts, symbols = symbols }
end

local LENGTH_BASE, LENGTH_EXTRA, DISTANCE_BASE, DISTANCE_EXTRA = {}, {}, {}, {}
do
  local base = 3
  for code = 0, 27 do
    LENGTH_EXTRA[code] = code < 8 and 0 or math.floor(code / 4) - 1
    LENGTH_BASE[code] = base
    base = base + 2 ^ LENGTH_EXTRA[code]
  end
  LENGTH_BASE[28], LENGTH_EXTRA[28] = 258, 0
  base = 1
  for code = 0, 29 do
    DISTANCE_EXTRA[code] = code < 4 and 0 or math.floor(code / 2) - 1
    DISTANCE_BASE[code] = base
    base = base + 2 ^ DISTANCE_EXTRA[code]
  end
end

local ORDER = { 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15 }

local fixedCodes
local function fixed()
  if fixedCodes == nil then
    local lengths = {}
    for symbol = 0, 143 do lengths[symbol] = 8 end
    for symbol = 144, 255 do lengths[symbol] = 9 end
    for symbol = 256, 279 do lengths[symbol] = 7 end
    for symbol = 280, 287 do lengths[symbol] = 8 end
    local distances = {}
    for symbol = 0, 29 do distances[symbol] = 5 end
    fixedCodes = { huffman(lengths, 0, 287), huffman(distances, 0, 29) }
  end
  return fixedCodes[1], fixedCodes[2]
end

-- Reads a stream from `at` (counted from 0) to the end of `input`.
local function reader(input, at)
  local self = { at = at }
  local held, count = 0, 0
  function self.bits(wanted)
    while count < wanted do
      local next = byte(input, self.at + 1)
      if next == nil then stop(ENDS_EARLY) end
      held = held + next * 2 ^ count
      self.at, count = self.at + 1, count + 8
    end
    local power = 2 ^ wanted
    local value = held % power
    held, count = (held - value) / power, count - wanted
    return value
  end
  function self.align() held, count = 0, 0 end
  function self.symbol(code)
    local counts, symbols = code.counts, code.symbols
    local value, first, index = 0, 0, 0
    for length = 1, 15 do
      value = value + self.bits(1)
      local among = counts[length]
      if value - among < first then return symbols[index + value - first] end
      index, first = index + among, (first + among) * 2
      value = value * 2
    end
    stop("is not a complete zlib stream (it has a code that does not exist)")
  end
  return self
end

local function dynamic(input)
  local literals, distances, codes = input.bits(5) + 257, input.bits(5) + 1, input.bits(4) + 4
  local lengths = {}
  for symbol = 0, 18 do lengths[symbol] = 0 end
  for index = 1, codes do lengths[ORDER[index]] = input.bits(3) end
  local code = huffman(lengths, 0, 18)
  lengths = {}
  local index, all = 0, literals + distances
  while index < all do
    local symbol = input.symbol(code)
    local length, times = symbol, 1
    if symbol == 16 then
      if index == 0 then stop("is not a complete zlib stream (its code lengths make no sense)") end
      length, times = lengths[index - 1], 3 + input.bits(2)
    elseif symbol == 17 then length, times = 0, 3 + input.bits(3)
    elseif symbol == 18 then length, times = 0, 11 + input.bits(7)
    end
    if index + times > all then stop("is not a complete zlib stream (its code lengths make no sense)") end
    for _ = 1, times do lengths[index], index = length, index + 1 end
  end
  return huffman(lengths, 0, literals - 1), huffman(lengths, literals, all - 1)
end

local function block(input, out, most, literals, distances)
  while true do
    local symbol = input.symbol(literals)
    if symbol == nil then stop("is not a complete zlib stream (it has a code that does not exist)") end
    if symbol < 256 then
      if #out >= most then stop("more") end
      out[#out + 1] = symbol
    elseif symbol == 256 then return
    else
      local code = symbol - 257
      if code > 28 then stop("is not a complete zlib stream (it has a code that does not exist)") end
      local length = LENGTH_BASE[code] + input.bits(LENGTH_EXTRA[code])
      local far = input.symbol(distances)
      if far == nil or far > 29 then stop("is not a complete zlib stream (it has a code that does not exist)") end
      local distance = DISTANCE_BASE[far] + input.bits(DISTANCE_EXTRA[far])
      if distance > #out then stop("is not a complete zlib stream (it refers to what is before it)") end
      for _ = 1, length do
        if #out >= most then stop("more") end
        out[#out + 1] = out[#out - distance + 1]
      end
    end
  end
end

local function checksum(out)
  local a, b = 1, 0
  for index = 1, #out do
    a = (a + out[index]) % 65521
    b = (b + a) % 65521
  end
  return b, a
end

local function inflated(input, out, most)
  local method, flags = input.bits(8), input.bits(8)
  if method % 16 ~= 8 or method >= 128 or (method * 256 + flags) % 31 ~= 0 or math.floor(flags / 32) % 2 == 1 then
    stop("is not a complete zlib stream (its header makes no sense)")
  end
  repeat
    local last, kind = input.bits(1), input.bits(2)
    if kind == 0 then
      input.align()
      local length, complement = input.bits(16), input.bits(16)
      if length + complement ~= 65535 then stop("is not a complete zlib stream (a length in it makes no sense)") end
      for _ = 1, length do
        if #out >= most then stop("more") end
        out[#out + 1] = input.bits(8)
      end
    elseif kind == 1 then block(input, out, most, fixed())
    elseif kind == 2 then block(input, out, most, dynamic(input))
    else stop("is not a complete zlib stream (it has a block of a type that does not exist)")
    end
  until last == 1
  input.align()
  local high, low = checksum(out)
  if input.bits(8) * 256 + input.bits(8) ~= high or input.bits(8) * 256 + input.bits(8) ~= low then
    stop("is not a complete zlib stream (its checksum does not fit)")
  end
end

local function counted(count) return count == 1 and "1 byte" or string.format("%d bytes", count) end

-- Inflates what follows `literal` bytes, which are kept as they are. `expected` is the length of both together, of which
-- no more is made. Returns the bytes, and what is wrong, or nil.
return function(literal, bytes, expected)
  local out = {}
  local input = reader(bytes, math.min(literal, #bytes))
  local ok, problem = pcall(inflated, input, out, math.max(expected - literal, 0))
  if not ok and type(problem) ~= "table" then error(problem, 0) end
  local pieces = { bytes:sub(1, literal) }
  for from = 1, #out, CHUNK do
    pieces[#pieces + 1] = char(unpack(out, from, math.min(from + CHUNK - 1, #out)))
  end
  local whole = concat(pieces)
  local wrong
  if not ok then
    wrong = problem.inflate
    if wrong == "more" then wrong = "inflates to more than the " .. counted(expected) .. " that it declares" end
  elseif #whole ~= expected then
    wrong = string.format("inflates to %s instead of %d", counted(#whole), expected)
  elseif input.at < #bytes then
    wrong = "has " .. counted(#bytes - input.at) .. " left over after its zlib stream"
  end
  return whole, wrong and "the compressed data " .. wrong
end
