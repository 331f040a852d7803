-- Numbers as moul-dissect writes them: as few digits as say which number it is, with an exponent only where it is far
-- from 0.

local format, rep, sub = string.format, string.rep, string.sub

local decimal = {}

local function written(sign, digits, exponent)
  digits = digits:gsub("0+$", "")
  local count, point = #digits, exponent + 1
  if count <= point and point <= 21 then return sign .. digits .. rep("0", point - count) end
  if 0 < point and point <= 21 then return sign .. sub(digits, 1, point) .. "." .. sub(digits, point + 1) end
  if -6 < point and point <= 0 then return sign .. "0." .. rep("0", -point) .. digits end
  local rest = count > 1 and "." .. sub(digits, 2) or ""
  return format("%s%s%se%+d", sign, sub(digits, 1, 1), rest, exponent)
end

local function rounded(value, precision)
  if value ~= value then return "NaN" end
  if value == math.huge then return "Infinity" end
  if value == -math.huge then return "-Infinity" end
  if value == 0 then return "0" end
  local first, rest, exponent = format("%." .. precision - 1 .. "e", math.abs(value)):match("^(%d)%.?(%d*)e([+-]%d+)$")
  return written(value < 0 and "-" or "", first .. rest, tonumber(exponent))
end

-- A number with so many digits at most.
decimal.rounded = rounded

-- A number of single precision, of which more than 7 digits say nothing.
function decimal.single(value) return rounded(value, 7) end

function decimal.double(value)
  for precision = 15, 16 do
    if tonumber(format("%." .. precision - 1 .. "e", value)) == value then return rounded(value, precision) end
  end
  return rounded(value, 17)
end

return decimal
