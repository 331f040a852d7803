-- Writes code that goes through a message without a tree: the parts that all kinds of fields need. The code is a function of
-- the bytes `s`, the place `p`, the end `e` and the depth `d`; it returns the place after what it has gone through, or
-- nil where the decoder would have anything to say.

local modules = ...
local numbers, interest = modules.numbers.control, modules.interest
local format, concat = string.format, table.concat

local function isPower(number)
  while number > 1 do number = number / 2 end
  return number == 1
end

local Writer = {}
Writer.__index = Writer

local function maskedCode(value, mask)
  -- The remainder of a negative number is positive, in Lua.
  if isPower(mask + 1) then return format("%s %% %d", value, mask + 1) end
  return format("band(%s, %d)", value, mask)
end

local COMPARED = { [2] = "==", [3] = "~=", [4] = ">=", [5] = "<" }

local function conditionCode(condition, value)
  local test, mask, operand = condition[2], condition[3], condition[4]
  if test == 0 and isPower(mask) then return format("%s %% %d >= %d", value, 2 * mask, mask) end
  if test == 0 then return maskedCode(value, mask) .. " ~= 0" end
  if test == 1 then return format("%s == %d", maskedCode(value, mask), operand % 4294967296) end
  return format("%s %s %d", value, COMPARED[test], operand)
end

function Writer:emit(...) self.lines[#self.lines + 1] = format(...) end

-- How the code refers to something.
function Writer:constant(value)
  self.constants[#self.constants + 1] = value
  return format("k[%d]", #self.constants)
end

-- A new local variable, which is 0 until something else is said.
function Writer:variable()
  self.variables[#self.variables + 1] = "v" .. #self.variables + 1
  return self.variables[#self.variables]
end

function Writer:slot(scope, number)
  scope.slots[number] = scope.slots[number] or self:variable()
  return scope.slots[number]
end

-- Bytes of a fixed number follow: returns where. Those in a row are checked to be there at once.
function Writer:advance(width)
  if self.run == nil then
    self:emit("")
    self.run, self.offset = #self.lines, 0
  end
  local at = self.offset
  self.offset = at + width
  return at == 0 and "p" or "p + " .. at
end

-- Moves on past such bytes.
function Writer:flush()
  if self.run and self.offset > 0 then
    self.lines[self.run] = format("if p + %d > e then return nil end", self.offset)
    self:emit("p = p + %d", self.offset)
  end
  self.run = nil
end

-- Without a call of a function of its own, for the numbers that most conditions and lengths are.
local INLINE = {
  [numbers.u16le] = "do local a, b = byte(s, %s + 1, %s + 2) %s = a + 256 * b end",
  [numbers.u32le] = "do local a, b, c, d = byte(s, %s + 1, %s + 4) %s = a + 256 * b + 65536 * c + 16777216 * d end",
}

function Writer:read(kind, at, into)
  local read = numbers[kind]
  if kind == "u8" or kind == "bool8" then self:emit("%s = byte(s, %s + 1)", into, at)
  elseif INLINE[read] then self:emit(INLINE[read], at, at, into)
  else self:emit("%s = %s(s, %s)", into, self:constant(read), at) end
end

-- The length of a field as an expression, or nil for the rest of the region.
function Writer:length(entry, scope)
  if entry.ls == -2 then return nil end
  if entry.ls == -1 then return format("%d", entry.p) end
  local value = self:slot(scope, entry.ls)
  if entry.m then value = maskedCode(value, entry.m) end
  return format("(%s) * %d + %d", value, entry.x or 1, entry.p or 0)
end

-- Writes that there are so many bytes; returns the variable that says where they end.
function Writer:ending(entry, scope)
  self:flush()
  local length, finish = self:length(entry, scope), self:variable()
  if length then
    self:emit("%s = p + %s", finish, length)
    self:emit("if %s < p or %s > e then return nil end", finish, finish)
  elseif scope.isOpen then self:emit("do return nil end")
  else self:emit("%s = e", finish) end
  return finish
end

function Writer:keep(entry, scope, at, finish)
  if scope.isRoot or interest.entry(entry) then
    self:emit("add(%s, %s, %s)", self:constant(entry), at, finish)
  end
end

-- Writes the node of what has others below it, if it is kept; `content` writes these.
function Writer:around(entry, scope, content)
  local isKept = scope.isRoot or interest.entry(entry)
  local node
  if isKept then
    self:flush()
    node = self:variable()
    self:emit("%s = open(%s, p)", node, self:constant(entry))
  end
  content({ slots = scope.slots, isOpen = scope.isOpen, depth = scope.depth, isLoop = scope.isLoop })
  if isKept then
    self:flush()
    self:emit("close(%s, p)", node)
  end
end

-- Leaves a field to the decoder.
function Writer:decoded(entry, scope)
  self:flush()
  local isContent = tostring(scope.isContent == true)
  self:emit("p = part(%s, p, e, %s, d + %d, %s)", self:constant(entry), tostring(not scope.isOpen), scope.depth, isContent)
  self:emit("if p == nil then return nil end")
end

function Writer:call(program, start, scope)
  self:flush()
  self:emit("p = %s.run(s, %s, e, d + %d)", program, start, scope.depth + 1)
  self:emit("if p == nil then return nil end")
end

Writer.maskedCode, Writer.conditionCode = maskedCode, conditionCode

-- What writes a field of each kind that is not a number of fixed width.
local write = {}
Writer.kinds = write

function Writer:field(entry, scope)
  local own = write[entry.o]
  if own then own(self, entry, scope)
  elseif entry.w > 0 then
    local at = self:advance(entry.w)
    if entry.s then self:read(entry.o, at, self:slot(scope, entry.s)) end
    self:keep(entry, scope, at, format("%s + %d", at, entry.w))
  else self:emit("do return nil end") end
end

-- Writes the fields of a struct. Where it is known to end, those after the last one that may hold something wanted are
-- passed over.
function Writer:members(struct, scope)
  local entries, last = struct.e, #struct.e
  while scope.isContent and not scope.isRoot and last > 0 and not interest.holds(entries[last]) do last = last - 1 end
  self:fields(entries, last, setmetatable({ isContent = false }, { __index = scope }))
  self:flush()
  if last < #entries then self:emit("p = e") end
end

function Writer:fields(entries, last, scope)
  for index = 1, last do
    local entry = entries[index]
    if entry.c == nil then self:field(entry, scope)
    else
      local tests = {}
      for place, one in ipairs(entry.c) do tests[place] = conditionCode(one, self:slot(scope, one[1])) end
      self:flush()
      self:emit("if %s then", concat(tests, " and "))
      self:field(entry, scope)
      self:flush()
      self:emit("else")
      if entry.s then self:emit("%s = 0", self:slot(scope, entry.s)) end
      for _, capture in ipairs(entry.cap or {}) do self:emit("%s = 0", self:slot(scope, capture[2])) end
      self:emit("end")
    end
  end
end

return Writer
