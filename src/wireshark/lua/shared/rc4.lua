-- The stream cipher RC4: that of Wireshark where it has one for plugins (from 4.6 on), else in Lua.

local bits = (...).bits
local bxor, byte, char, format, concat, rep = bits.bxor, string.byte, string.char, string.format, table.concat, string.rep

local Struct = rawget(_G, "Struct")

local Rc4 = {}

local hasOperators = _VERSION > "Lua 5.2"

-- Bytes that are decrypted at once, each by code of its own: a third faster than in a loop. There is code for multiples of
-- some, and for what is left. A function may not have more variables than these need, or four times as many where they are
-- taken four at a time.
local MOST, FEW = (Struct and not hasOperators) and 128 or 64, 8

local NEXT = "i = i + 1 a = s[i] j = (j + a) %% 256 b = s[j] s[i] = b s[j] = a"
local KEY = "s[(a + b) %% 256]"

-- With the operators of Lua 5.3 and later.
local function bytesWithOperators(lines, count)
  local names = {}
  for index = 1, count do names[index] = "c" .. index end
  local list = concat(names, ", ")
  lines[#lines + 1] = format("local %s = byte(bytes, at, at + %d)", list, count - 1)
  for _, name in ipairs(names) do lines[#lines + 1] = format(NEXT .. " %s = %s ~ " .. KEY, name, name) end
  return format("char(%s)", list)
end

-- With functions, which take time to call: four bytes at once, where Wireshark has what takes them apart.
local function bytesWithFunctions(lines, count)
  local words, names, letters = Struct and math.floor(count / 4) or 0, {}, {}
  for index = 1, words + count - 4 * words do
    names[index], letters[index] = "c" .. index, index <= words and "I4" or "B"
  end
  local list, layout = concat(names, ", "), "<" .. concat(letters)
  if Struct then lines[#lines + 1] = format("local %s = unpack('%s', bytes, at)", list, layout)
  else lines[#lines + 1] = format("local %s = byte(bytes, at, at + %d)", list, count - 1) end
  for index, name in ipairs(names) do
    lines[#lines + 1] = format(NEXT .. " local k = " .. KEY)
    for power = 1, index <= words and 3 or 0 do
      lines[#lines + 1] = format(NEXT .. " k = k + " .. KEY .. " * %d", 256 ^ power)
    end
    lines[#lines + 1] = format("%s = bxor(%s, k)", name, name)
  end
  return Struct and format("pack('%s', %s)", layout, list) or format("char(%s)", list)
end

-- Returns a function that decrypts so many bytes; it returns the new `j`, and the bytes.
local function codeFor(count)
  local lines = { "local byte, char, bxor, pack, unpack = ... return function(s, i, j, bytes, at) local a, b" }
  local result = (hasOperators and bytesWithOperators or bytesWithFunctions)(lines, count)
  lines[#lines + 1] = format("return j, %s end", result)
  local make = (loadstring or load)(concat(lines, "\n"), "=rc4")
  return make(byte, char, bxor, Struct and Struct.pack, Struct and Struct.unpack)
end

local code = setmetatable({}, {
  __index = function(known, count)
    known[count] = codeFor(count)
    return known[count]
  end,
})

local Plain = {}
Plain.__index = Plain

local function plain(key)
  local s = {}
  for index = 0, 255 do s[index] = index end
  local j = 0
  for index = 0, 255 do
    j = (j + s[index] + byte(key, index % #key + 1)) % 256
    s[index], s[j] = s[j], s[index]
  end
  return setmetatable({ s = s, i = 0, j = 0 }, Plain)
end

-- What is decrypted, piece by piece: the table is used again.
local pieces = {}

function Plain:apply(bytes)
  local s, i, j = self.s, self.i, self.j
  local count, at, length = 0, 1, #bytes
  while at <= length do
    -- What is used next is at `i + 1`.
    if i == 255 then i = -1 end
    local some = length - at + 1
    if some > MOST then some = MOST end
    if some > 255 - i then some = 255 - i end
    if some > FEW then some = some - some % FEW end
    count = count + 1
    j, pieces[count] = code[some](s, i, j, bytes, at)
    i, at = i + some, at + some
  end
  self.i, self.j = i, j
  return concat(pieces, "", 1, count)
end

local Native = {}
Native.__index = Native

local library, Bytes = rawget(_G, "GcryptCipher"), rawget(_G, "ByteArray")
local ARCFOUR, STREAM = rawget(_G, "GCRY_CIPHER_ARCFOUR"), rawget(_G, "GCRY_CIPHER_MODE_STREAM")

local function native(key)
  local cipher = library.open(ARCFOUR, STREAM, 0)
  cipher:setkey(Bytes.new(key, true))
  return setmetatable({ cipher = cipher }, Native)
end

function Native:apply(bytes)
  if bytes == "" then return bytes end
  local buffer = Bytes.new(bytes, true)
  self.cipher:decrypt(buffer)
  return buffer:raw()
end

-- Moves on past bytes that were not captured.
local MOST_AT_ONCE = 65536

local function advance(cipher, count)
  while count > 0 do
    local some = math.min(count, MOST_AT_ONCE)
    cipher:apply(rep("\0", some))
    count = count - some
  end
end
Plain.advance, Native.advance = advance, advance

-- Whether Wireshark's own gives the same bytes: libraries can be set up to refuse this cipher.
local function works()
  local key, text = "\1\35\69\103\137\171\205", rep("What is encrypted. ", 40)
  local function tried(new)
    local cipher = new(key)
    return cipher:apply(text:sub(1, 300)) .. cipher:apply(text:sub(301))
  end
  local ok, found = pcall(tried, native)
  return ok and found == tried(plain)
end

Rc4.isNative = library ~= nil and ARCFOUR ~= nil and STREAM ~= nil and works()

-- Returns a cipher with this key, a string: `apply` returns bytes decrypted, and moves on past them.
Rc4.new = Rc4.isNative and native or plain

return Rc4
