-- Twins of codecs and labels of BZFlag's declarations.

local modules = ...
local text, codecs, labels = modules.text, modules.codecs, modules.labels
local byte, char, sub, find, format = string.byte, string.char, string.sub, string.find, string.format

-- The length up to the first byte of a class, that byte included.
local function upTo(class)
  return function(_, s, start, limit)
    local at = find(s, class, start + 1)
    return at and at <= limit and at - start or -(limit - start + 1)
  end
end

local function withoutEnd(_, s, start, finish)
  local stop = finish - 1
  if byte(s, finish) == 10 and stop > start and byte(s, stop) == 13 then stop = stop - 1 end
  return text.decode(sub(s, start + 1, stop))
end

-- A word with the space or line break after it; `like` is a pattern for what it can be.
codecs.word = {
  measure = upTo("[ \n]"),
  read = withoutEnd,
  problem = function(spec, s, start, finish)
    if spec.like and not find(withoutEnd(spec, s, start, finish), spec.like) then return spec.problem end
  end,
}

local function decimal(spec, s, start, finish)
  local digits = withoutEnd(spec, s, start, finish)
  return find(digits, "^[+-]?%d+$") and tonumber((digits:gsub("^%+", ""))) or 0 / 0
end

codecs.decimal = {
  number = true,
  measure = upTo("[ \n]"),
  read = decimal,
  problem = function(spec, s, start, finish)
    local value = decimal(spec, s, start, finish)
    if value ~= value then return "is not a number" end
  end,
}

codecs.line = {
  measure = upTo("\n"),
  read = withoutEnd,
  problem = function(spec, s, start, finish)
    if spec.isEmpty and withoutEnd(spec, s, start, finish) ~= "" then return "is not empty" end
  end,
}

codecs.lines = {
  measure = function(_, s, start, limit)
    local from = start
    while true do
      local at = find(s, "\n", from + 1, true)
      if at == nil or at > limit then return -(limit - start + 1) end
      if at == from + 1 or (at == from + 2 and byte(s, from + 1) == 13) then return at - start end
      from = at
    end
  end,
  read = function(_, s, start, finish) return (text.decode(sub(s, start + 1, finish)):gsub("%s+$", "")) end,
}

local function hex(_, s, start)
  local digits = sub(s, start + 1, start + 4)
  return find(digits, "^%x%x%x%x$") and tonumber(digits, 16) or 0 / 0
end

codecs.hex16 = {
  number = true,
  measure = function(spec, _, start, limit)
    local width = 4 + #spec.after
    return start + width > limit and -width or width
  end,
  read = hex,
  problem = function(spec, s, start, finish)
    local value = hex(spec, s, start)
    if value ~= value or sub(s, start + 5, finish) ~= spec.after then return "is not a number" end
  end,
}

function labels.ipv4(address)
  return format("%d.%d.%d.%d", math.floor(address / 16777216), math.floor(address / 65536) % 256,
    math.floor(address / 256) % 256, address % 256)
end

function labels.scaled(number, unit) return modules.decimal.rounded(number * unit, 6) end

function labels.hex(number) return format("0x%x", number) end

function labels.time(seconds) return os.date("!%Y-%m-%dT%H:%M:%SZ", seconds) end

function labels.code(number)
  local high, low = math.floor(number / 256), number % 256
  local function isPrintable(one) return one > 0x20 and one < 0x7f end
  return isPrintable(high) and isPrintable(low) and char(high, low) or format("0x%04x", number)
end

function labels.shot(shot)
  if shot == -1 then return "no shot" end
  local unsigned = shot % 65536
  return format("slot %d, salt %d", unsigned % 256, math.floor(unsigned / 256) % 128)
end

local function playerLabel(zero)
  return function(tree, node, name)
    local id = tree:bytes(node)
    if #id < 8 then return nil end
    if id == ("\0"):rep(8) then return zero end
    local a, b, c, d, port1, port2, number1, number2 = byte(id, 1, 8)
    return name or format("%d.%d.%d.%d:%d #%d", a, b, c, d, 256 * port1 + port2, 256 * number1 + number2)
  end
end

labels.player, labels.addressee = playerLabel("nobody"), playerLabel("everybody")
