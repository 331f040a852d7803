-- The stream cipher RC4.

local bits = (...).bits
local bxor, byte, char, format, concat = bits.bxor, string.byte, string.char, string.format, table.concat
local unpack = table.unpack or unpack

local Rc4 = {}
Rc4.__index = Rc4

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

-- Bytes that are decrypted at once, each by code of its own: a third faster than in a loop.
local STRIDE = 32

-- Decrypts so many bytes; returns the new `j`, and the bytes.
local stride
local function strideCode()
  local names = {}
  for index = 1, STRIDE do names[index] = "c" .. index end
  local list = concat(names, ", ")
  local lines = {
    "local byte, char, xor = ...",
    "return function(s, i, j, bytes, at)",
    format("local a, b, %s = 0, 0, byte(bytes, at, at + %d)", list, STRIDE - 1),
  }
  for _, name in ipairs(names) do
    lines[#lines + 1] = "i = i + 1 a = s[i] j = (j + a) % 256 b = s[j] s[i] = b s[j] = a"
    lines[#lines + 1] = format("%s = xor[%s][s[(a + b) %% 256]]", name, name)
  end
  lines[#lines + 1] = format("return j, char(%s) end", list)
  return (loadstring or load)(concat(lines, "\n"), "=rc4")(byte, char, exclusiveOr())
end

-- Returns the bytes decrypted, and moves on past them.
function Rc4:apply(bytes)
  stride = stride or strideCode()
  local s, i, j, xor = self.s, self.i, self.j, exclusiveOr()
  local pieces, count, at, length = {}, 0, 1, #bytes
  while at <= length do
    count = count + 1
    if i + STRIDE <= 255 and at + STRIDE - 1 <= length then
      j, pieces[count] = stride(s, i, j, bytes, at)
      i, at = i + STRIDE, at + STRIDE
    else
      local chunk = { byte(bytes, at, at + STRIDE - 1) }
      for index = 1, #chunk do
        i = (i + 1) % 256
        local a = s[i]
        j = (j + a) % 256
        local b = s[j]
        s[i], s[j] = b, a
        chunk[index] = xor[chunk[index]][s[(a + b) % 256]]
      end
      pieces[count], at = char(unpack(chunk)), at + #chunk
    end
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
