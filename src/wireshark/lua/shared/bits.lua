-- Bit operations on numbers of 32 bits, in every Lua that Wireshark has had: 5.1 and 5.2 have libraries for them, 5.3 and
-- later have operators, which older ones cannot even parse.

local bits = {}

local WORD = 4294967296

local operators = _VERSION > "Lua 5.2"
  and load("return function(a, b) return a & b end, function(a, b) return a ~ b end")

if operators then
  local band, bxor = operators()
  -- Operators refuse numbers with a fraction, which bytes never have.
  bits.band = function(a, b) return band(a, b) % WORD end
  bits.bxor = bxor
else
  local library = rawget(_G, "bit32") or rawget(_G, "bit")
  if library then
    local band = library.band
    bits.band = function(a, b) return band(a, b) % WORD end
    bits.bxor = library.bxor
  else
    -- Without either, digit by digit.
    local function combined(a, b, wanted)
      local result, place = 0, 1
      a, b = a % WORD, b % WORD
      while a > 0 or b > 0 do
        local sum = a % 2 + b % 2
        if sum == wanted then result = result + place end
        a, b, place = math.floor(a / 2), math.floor(b / 2), place * 2
      end
      return result
    end
    bits.band = function(a, b) return combined(a, b, 2) end
    bits.bxor = function(a, b) return combined(a, b, 1) end
  end
end

return bits
