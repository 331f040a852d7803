-- The stream cipher RC4.

local bits = (...).bits
local bxor, byte, char, concat = bits.bxor, string.byte, string.char, table.concat
local unpack = table.unpack or unpack

local Rc4 = {}
Rc4.__index = Rc4

-- Bytes that are turned into a string at once: Lua passes them as arguments, of which there may not be many more.
local CHUNK = 128

-- The exclusive or of two bytes, as a table of tables: half as slow as a function of a library.
local rows
local function exclusiveOr()
  if rows == nil then
    rows = {}
    for a = 0, 255 do
      local row = {}
      for b = 0, 255 do row[b] = bxor(a, b) end
      rows[a] = row
    end
  end
  return rows
end

-- Returns a cipher with this key, a string.
function Rc4.new(key)
  local s = {}
  for index = 0, 255 do s[index] = index end
  local j = 0
  for index = 0, 255 do
    j = (j + s[index] + byte(key, index % #key + 1)) % 256
    s[index], s[j] = s[j], s[index]
  end
  return setmetatable({ s = s, i = 0, j = 0 }, Rc4)
end

-- Returns the bytes decrypted, and moves on past them.
function Rc4:apply(bytes)
  local s, i, j, xor = self.s, self.i, self.j, exclusiveOr()
  local pieces = {}
  for from = 1, #bytes, CHUNK do
    local chunk = { byte(bytes, from, from + CHUNK - 1) }
    for index = 1, #chunk do
      i = (i + 1) % 256
      local a = s[i]
      j = (j + a) % 256
      local b = s[j]
      s[i], s[j] = b, a
      chunk[index] = xor[chunk[index]][s[(a + b) % 256]]
    end
    pieces[#pieces + 1] = char(unpack(chunk))
  end
  self.i, self.j = i, j
  return concat(pieces)
end

-- Moves on past bytes that were not captured.
function Rc4:advance(count)
  local s, i, j = self.s, self.i, self.j
  for _ = 1, count do
    i = (i + 1) % 256
    local a = s[i]
    j = (j + a) % 256
    s[i], s[j] = s[j], a
  end
  self.i, self.j = i, j
end

-- Returns a cipher in the same state.
function Rc4:copy()
  local s = {}
  for index = 0, 255 do s[index] = self.s[index] end
  return setmetatable({ s = s, i = self.i, j = self.j }, Rc4)
end

return Rc4
