-- Fields that have others below them: structs, arrays, tuples, and structs whose class the bytes name.

-- Decodes the fields of a struct; false if the rest of the region could not be dissected.
local function members(node, struct, slots)
  local outer = parent
  parent = node
  if struct.binds then tree.bindings[#tree.bindings + 1] = node end
  local whole = true
  local entries = struct.e
  for index = 1, #entries do
    local entry = entries[index]
    if entry.c and not present(entry, slots) then
      if entry.s then slots[entry.s] = 0 end
      if entry.cap then for _, capture in ipairs(entry.cap) do slots[capture[2]] = 0 end end
    else
      local width = entry.w
      if width > 0 then
        local finish = position + width
        if finish > limit then
          short(entry, width)
          whole = false
          break
        end
        if entry.s then slots[entry.s] = control[entry.o](bytes, position) end
        local added = tree.count + 1
        tree.count = added
        nodeEntry[added], nodeSource[added], nodeAfter[added] = entry, source, added + 1
        nodeStart[added], nodeFinish[added] = position - origin, finish - origin
        position = finish
      elseif not decodeField(entry, slots) then
        whole = false
        break
      end
    end
  end
  parent = outer
  depth = depth - 1
  finishNode(node)
  return whole
end

local function nested(entry, slots)
  local struct = tables[entry.t]
  local node = begin(entry)
  if not deeper(entry) then return abandon(node) end
  local inner = {}
  if entry.imp then for _, import in ipairs(entry.imp) do inner[import[2]] = slots[import[1]] end end
  local whole = members(node, struct, inner)
  if entry.cap then for _, capture in ipairs(entry.cap) do slots[capture[2]] = inner[capture[1]] or 0 end end
  return whole
end

local function refuse(node, entry, what)
  tree:note("malformed", "error", node, format("%s: %s of %.0f", nameOf(entry), what, limits.nodes))
  return abandon(node)
end

local function array(entry, slots)
  local element = entry.i
  local node = begin(entry)
  local count = lengthOf(entry, slots)
  local toEnd = count == nil
  if not toEnd then
    local least = element.min * count
    local finish = position + least
    if count < 0 or (finish > limit and not cutAt(finish)) then
      short(entry, count < 0 and count or least)
      finishNode(node)
      return false
    end
    if count > limits.nodes then return refuse(node, entry, format("%.0f elements are more than the limit", count)) end
  end
  local whole = true
  local index = 0
  while whole and (toEnd or index < count) do
    local start = position
    if toEnd and start >= limit then break end
    if tree.count > limits.nodes then return refuse(node, entry, "the message has more nodes than the limit") end
    local finish = start + element.w
    if element.w > 0 and finish <= limit then leaf(element, finish)
    else whole = decodeField(element, slots) end
    if toEnd and position == start then break end
    index = index + 1
  end
  if whole and entry.s then
    local first = node + 1
    slots[entry.s] = 0
    if first <= tree.count and element.w > 0 then
      slots[entry.s] = control[element.o](bytes, origin + tree.start[first])
    end
  end
  finishNode(node)
  return whole
end

local function tuple(entry, slots)
  local node = begin(entry)
  local whole = true
  for _, element in ipairs(entry.el) do
    if not decodeField(element, slots) then
      whole = false
      break
    end
  end
  finishNode(node)
  return whole
end

local function isA(struct, ancestor)
  while struct do
    if struct == ancestor then return true end
    local description = structs[struct]
    if description.as and isA(description.as, ancestor) then return true end
    struct = description.base
  end
  return false
end
decoder.isA = isA

-- The same field with its class known.
local function withTag(entry, tag, class)
  entry.v = entry.v or {}
  local variant = entry.v[tag]
  if variant == nil then
    variant = { o = "polymorphic", n = entry.n, f = entry.f, w = 0, t = class, fam = entry.fam, sum = entry.sum, pf = entry.pf }
    entry.v[tag] = variant
  end
  return variant
end
decoder.withTag = withTag

local function called(family, tag)
  local class = family.classes[tag]
  local name = class and structs[tables[class].st].n or family.names[tag]
  if name and name ~= "" then return name end
  return (tag % 1 == 0 and tag >= 0) and format("0x%04x", tag) or format("%.14g", tag)
end
decoder.called = called

local function polymorphic(entry)
  local family = families[entry.fam]
  local tagEntry = family.tag
  local width, tag = tagEntry.w, nil
  local coded = width == 0
  if coded and codecs[tagEntry.cd.form] == nil then return unread(entry, UNKNOWN_CODEC) end
  if coded then width = codecs[tagEntry.cd.form].measure(tagEntry.cd, bytes, position, limit) end
  local finish = position + width
  if width < 0 or finish > limit then return short(entry, math.abs(width)) end
  if coded then tag = codecs[tagEntry.cd.form].read(tagEntry.cd, bytes, position, finish)
  else tag = control[tagEntry.o](bytes, position) end
  local class = family.classes[tag]
  local node = begin(class and withTag(entry, tag, class) or entry)
  if not coded then leaf(tagEntry, finish)
  elseif not measuredLeaf(tagEntry, width, tag) then
    giveUp()
    return abandon(node)
  end
  if tag == family.null then
    finishNode(node)
    return true
  end
  if class == nil then
    if family.closed then
      tree:note("malformed", "error", node, format("%s %.14g is not one of %s", tagEntry.n, tag, family.n))
    else
      local name, plain = called(family, tag), format("%.14g", tag)
      local found = name == plain and name or format("%s (%s)", plain, name)
      tree:note("unknown", "warning", node, format("%s %s is not a declared class of %s", tagEntry.n, found, family.n))
    end
    return abandon(node)
  end
  local struct = tables[class]
  if entry.base and not isA(struct.st, entry.base) then
    tree:note("ok", "warning", node, format("found %s where a %s should be", structs[struct.st].n, structs[entry.base].n))
  end
  if not deeper(entry) then return abandon(node) end
  return members(node, struct, {})
end
