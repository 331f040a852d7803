-- Numbers of fixed width, by the names of their wire types.

local byte = string.byte

local numbers = {}

local function signed(value, width)
  local half = 2 ^ (8 * width - 1)
  return value >= half and math.floor(value - 2 * half) or value
end

local function u16le(s, at)
  local a, b = byte(s, at + 1, at + 2)
  return a + 256 * b
end

local function u32le(s, at)
  local a, b, c, d = byte(s, at + 1, at + 4)
  return a + 256 * b + 65536 * c + 16777216 * d
end

local function u16be(s, at)
  local a, b = byte(s, at + 1, at + 2)
  return 256 * a + b
end

local function u32be(s, at)
  local a, b, c, d = byte(s, at + 1, at + 4)
  return 16777216 * a + 65536 * b + 256 * c + d
end

-- Reads the number that later fields test: of 64 bits, the low 32; of a float, its bits.
numbers.control = {
  u8 = function(s, at) return byte(s, at + 1) end,
  i8 = function(s, at) return signed(byte(s, at + 1), 1) end,
  bool8 = function(s, at) return byte(s, at + 1) end,
  u16le = u16le,
  i16le = function(s, at) return signed(u16le(s, at), 2) end,
  u32le = u32le,
  i32le = function(s, at) return signed(u32le(s, at), 4) end,
  bool32le = u32le,
  u64le = u32le,
  i64le = u32le,
  f32le = u32le,
  u16be = u16be,
  i16be = function(s, at) return signed(u16be(s, at), 2) end,
  u32be = u32be,
  i32be = function(s, at) return signed(u32be(s, at), 4) end,
  u64be = function(s, at) return u32be(s, at + 4) end,
  i64be = function(s, at) return u32be(s, at + 4) end,
  f32be = u32be,
}

return numbers
