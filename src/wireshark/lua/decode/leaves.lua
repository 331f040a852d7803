-- Fields without fields of their own; conditions and lengths of all.

local function holds(condition, slots)
  local value, test = slots[condition[1]] or 0, condition[2]
  if test == 0 then return band(value, condition[3]) ~= 0
  elseif test == 1 then return band(value, condition[3]) == condition[4] % WORD
  elseif test == 2 then return value == condition[4]
  elseif test == 3 then return value ~= condition[4]
  elseif test == 4 then return value >= condition[4]
  else return value < condition[4] end
end

local function present(entry, slots)
  local conditions = entry.c
  for index = 1, #conditions do
    if not holds(conditions[index], slots) then return false end
  end
  return true
end

-- The length of a field: a number, or nil for the rest of the region.
local function lengthOf(entry, slots)
  local slot = entry.ls
  if slot == -2 then return nil end
  if slot == -1 then return entry.p end
  local number = slots[slot] or 0
  if entry.m then number = band(number, entry.m) end
  return number * (entry.x or 1) + (entry.p or 0)
end

local function countedLeaf(entry, slots)
  local length = lengthOf(entry, slots)
  local toEnd = length == nil
  if toEnd then
    length = limit - position
    if length == 0 then return true end
  elseif length < 0 then return short(entry, length)
  end
  if position + length > limit then return short(entry, length) end
  local node = leaf(entry, position + length)
  if entry.enc == "utf16le" and (bounded or not toEnd) and length % 2 == 1 then
    tree:note("ok", "warning", node, text.halfUnit(length))
  end
  if entry.und and length > 0 then tree:note("unknown", "note", node, entry.und) end
  return true
end

local function measuredLeaf(entry, length, number)
  local spec = entry.cd
  local codec = codecs[spec.form]
  local start = position
  local node = leaf(entry, start + length)
  local remark = codec.remark and codec.remark(spec, bytes, start, position)
  if remark then tree:note("ok", "warning", node, remark) end
  local problem = codec.problem and codec.problem(spec, bytes, start, position)
  if problem == nil and number and number % 1 ~= 0 then
    problem = format("is %.14g, which is not a whole number", number)
  end
  if problem == nil then return true end
  fault(node, entry, problem)
  return false
end

local function codedLeaf(entry, slots)
  local spec = entry.cd
  local codec = codecs[spec.form]
  if codec == nil then return unread(entry, UNKNOWN_CODEC) end
  local length = codec.measure(spec, bytes, position, limit)
  if length < 0 then return short(entry, -length) end
  if entry.s == nil then
    measuredLeaf(entry, length)
    return true
  end
  local number = codec.read(spec, bytes, position, position + length)
  slots[entry.s] = number
  return measuredLeaf(entry, length, number) or giveUp()
end
