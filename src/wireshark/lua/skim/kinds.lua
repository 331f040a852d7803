-- Writes code for fields of each kind: see writer.lua.

local modules = ...
local decoder, declared, codecs, Writer, interest =
  modules.decoder, modules.declared, modules.codecs, modules.skimWriter, modules.interest
local tables, families = declared.tables, declared.families
local write, maskedCode, conditionCode = Writer.kinds, Writer.maskedCode, Writer.conditionCode
local format = string.format

-- Structs with at most so many fields are part of the code around them.
local FEW = 12

-- The programs of structs, which call each other: see skim.lua.
local programs = {}

function write.struct(self, entry, scope)
  local struct = tables[entry.t]
  local isTied, isWhole = entry.imp ~= nil or entry.cap ~= nil, interest.isWhole(entry.t)
  if isTied and (isWhole or scope.isLoop) then return self:emit("do return nil end") end
  if isWhole then return self:decoded(entry, scope) end
  local isPart = isTied or (#struct.e <= FEW and not scope.isLoop and scope.depth < 4)
  self:around(entry, scope, function(inside)
    local isContent = scope.isContent and entry.cap == nil
    if not isPart then return self:call(self:constant(programs.of(entry.t, scope.isOpen, false, isContent)), "p", scope) end
    local inner = { slots = {}, isOpen = scope.isOpen, isContent = isContent, depth = scope.depth + 1 }
    for _, import in ipairs(entry.imp or {}) do inner.slots[import[2]] = self:slot(inside, import[1]) end
    self:members(struct, inner)
    for _, capture in ipairs(entry.cap or {}) do
      self:emit("%s = %s", self:slot(inside, capture[2]), self:slot(inner, capture[1]))
    end
  end)
end

local function counted(self, entry, scope)
  local finish = self:ending(entry, scope)
  if entry.und then self:emit("if %s > p then return nil end", finish) end
  if entry.enc == "utf16le" then self:emit("if (%s - p) %% 2 == 1 then return nil end", finish) end
  -- The rest of a region is not there if nothing is left.
  self:emit(entry.ls == -2 and "if %s > p then" or "do", finish)
  self:keep(entry, scope, "p", finish)
  self:emit("end p = %s", finish)
end
write.bytes, write.text = counted, counted

function write.codec(self, entry, scope)
  self:flush()
  local codec = codecs[entry.cd.form]
  if codec == nil then return self:emit("do return nil end") end
  local finish, code, spec = self:variable(), self:constant(codec), self:constant(entry.cd)
  self:emit("%s = %s.measure(%s, s, p, e)", finish, code, spec)
  self:emit("if %s < 0 then return nil end %s = p + %s", finish, finish, finish)
  for _, check in ipairs({ "remark", "problem" }) do
    if codec[check] then self:emit("if %s.%s(%s, s, p, %s) then return nil end", code, check, spec, finish) end
  end
  if entry.s then
    local number = self:slot(scope, entry.s)
    self:emit("%s = %s.read(%s, s, p, %s)", number, code, spec, finish)
    self:emit("if %s %% 1 ~= 0 then return nil end", number)
  end
  self:keep(entry, scope, "p", finish)
  self:emit("p = %s", finish)
end

function write.array(self, entry, scope)
  self:around(entry, scope, function(inside)
    self:flush()
    local element, count, start = entry.i, self:length(entry, scope), self:variable()
    inside.isLoop = true
    local number = entry.s and self:slot(scope, entry.s)
    if number then
      self:emit("%s = 0", number)
      if element.w > 0 then
        self:emit("if p + %d <= e%s then", element.w, count and format(" and %s > 0", count) or "")
        self:read(element.o, "p", number)
        self:emit("end")
      end
    end
    if count then
      local index = self:variable()
      self:emit("%s = %s", index, count)
      self:emit("left.elements = left.elements - %s", index)
      self:emit("if %s < 0 or left.elements < 0 then return nil end", index)
      if element.w > 0 and not interest.entry(element) then
        return self:emit("p = p + %d * %s if p > e then return nil end", element.w, index)
      end
      self:emit("for _ = 1, %s do", index)
    else
      if scope.isOpen then self:emit("do return nil end") end
      self:emit("while p < e do %s = p left.elements = left.elements - 1", start)
      self:emit("if left.elements < 0 then return nil end")
    end
    self:field(element, inside)
    self:flush()
    if not count then self:emit("if p == %s then break end", start) end
    self:emit("end")
  end)
end

function write.tuple(self, entry, scope)
  self:around(entry, scope, function(inside)
    for _, element in ipairs(entry.el) do self:field(element, inside) end
  end)
end

function write.choice(self, entry, scope)
  local selected = self:slot(scope, entry.ss)
  if entry.sm then selected = "(" .. maskedCode(selected, entry.sm) .. ")" end
  self:flush()
  local word = "if"
  for value, chosen in pairs(entry.ch) do
    self:emit("%s %s == %d then", word, selected, value)
    self:field(chosen, scope)
    self:flush()
    word = "elseif"
  end
  self:emit(word == "if" and "do" or "else")
  if entry.ot then self:field(entry.ot, scope) else self:emit("do return nil end") end
  self:flush()
  self:emit("end")
end

function write.region(self, entry, scope)
  local finish, outer = self:ending(entry, scope), self:variable()
  if not scope.isRoot and not interest.holds(entry.i) then return self:emit("p = %s", finish) end
  -- Its very end, which may be passed over, can show that the rest is something else.
  if entry.ten and interest.holds(entry.i) and not interest.isAll then return self:emit("do return nil end") end
  self:emit("if p < %s then", finish)
  if entry.cz then self:emit("if %s then return nil end", conditionCode(entry.cz, self:slot(scope, entry.cz[1]))) end
  self:emit("%s, e = e, %s", outer, finish)
  self:field(entry.i, setmetatable({ isOpen = false, isContent = entry.oc == nil }, { __index = scope }))
  self:flush()
  self:emit("if p ~= e then return nil end e = %s end", outer)
end

-- What a class is to code that meets it in a polymorphic field.
local function targetsOf(entry, isOpen, isContent)
  local family = families[entry.fam]
  return setmetatable({}, {
    __index = function(known, tag)
      local number, target = family.classes[tag], false
      if number and not (entry.base and not decoder.isA(tables[number].st, entry.base)) then
        local program = not interest.isWhole(number) and programs.of(number, isOpen, false, isContent) or nil
        local isKept = interest.class(tables[number].st) or interest.entry(entry)
        target = { entry = decoder.withTag(entry, tag, number), isKept = isKept, program = program }
      end
      known[tag] = target
      return target
    end,
  })
end

function write.polymorphic(self, entry, scope)
  local family = families[entry.fam]
  local tagEntry = family.tag
  if tagEntry.w == 0 then return self:decoded(entry, scope) end
  self:flush()
  local tag, target, node = self:variable(), self:variable(), self:variable()
  self:emit("if p + %d > e then return nil end", tagEntry.w)
  self:read(tagEntry.o, "p", tag)
  if family.null then
    self:emit("if %s == %d then", tag, family.null)
    self:keep(entry, scope, "p", format("p + %d", tagEntry.w))
    self:emit("p = p + %d else", tagEntry.w)
  end
  self:emit("%s = %s[%s] if not %s then return nil end", target, self:constant(targetsOf(entry, scope.isOpen, scope.isContent)), tag, target)
  self:emit("if not %s.program then", target)
  self:decoded(entry, scope)
  self:emit("else")
  self:emit("if %s.isKept or %s then %s = open(%s.entry, p) else %s = nil end", target, tostring(scope.isRoot == true), node, target, node)
  self:call(target .. ".program", format("p + %d", tagEntry.w), scope)
  self:emit("if %s then close(%s, p) end", node, node)
  self:emit(family.null and "end end" or "end")
end

function write.resolved(self) self:emit("do return nil end") end

return programs
