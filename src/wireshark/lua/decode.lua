-- Decodes bytes by the tables of the declarations: one small decoder for all classes. It does what the decoder of
-- moul-dissect does (src/schema/decode), and words its notes in the same way.
--
-- Nothing that the bytes hold makes it fail. Where they break the format, the tree up to that place is kept, the rest of
-- the region becomes one leaf named `undissected`, and decoding continues after the region.

local modules = ...
local bits, numbers, codecs, inflate, text = modules.bits, modules.numbers, modules.codecs, modules.inflate, modules.text
local declared, Tree = modules.declared, modules.tree
local tables, families, structs, limits = declared.tables, declared.families, declared.structs, declared.limits
local control, band, format = numbers.control, bits.band, string.format

local WORD = 4294967296

local decoder = { tree = Tree.new() }

-- The name of what the value at a node stands for: set by whoever decodes.
function decoder.nameOf() return nil end

-- The state of the value that is being decoded. Offsets count from 0.
local tree = decoder.tree
local nodeEntry, nodeSource, nodeStart, nodeFinish, nodeAfter = tree.entry, tree.source, tree.start, tree.finish, tree.after
local bytes, source, origin, position, limit = "", 1, 0, 0, 0
-- Whether the limit is the end of a region; the field that claimed its length.
local bounded, claimedBy = true, ""
local depth, isOpen, isCut, truncated, parent, needed, inflatedBytes = 0, false, false, false, 1, 0, 0
-- The node that has all bytes to the limit, so that fields at its end may be passed over where few are wanted; or 0.
local content = 0

local UNDISSECTED = { o = "bytes", n = "undissected", ls = -2, w = 0, opaque = true }

local function counted(count, noun)
  if count == 1 then return "1 " .. noun end
  return format("%.0f %ss", count, noun)
end

local function are(count) return count == 1 and "is" or "are" end

local function nameOf(entry) return entry.n ~= "" and entry.n or "an element" end

local function claimOf(entry) return entry.cb and format(" (%s says so)", entry.cb) or "" end

-- A field of the same name for bytes that could not be dissected.
local function opaque(entry)
  entry.op = entry.op or { o = "bytes", n = entry.n, ls = -2, w = 0, opaque = true }
  return entry.op
end

local function leaf(entry, finish)
  local node = tree.count + 1
  tree.count = node
  nodeEntry[node], nodeSource[node], nodeAfter[node] = entry, source, node + 1
  nodeStart[node], nodeFinish[node] = position - origin, finish - origin
  position = finish
  return node
end

local function begin(entry)
  local node = tree.count + 1
  tree.count = node
  nodeEntry[node], nodeSource[node], nodeAfter[node], nodeStart[node] = entry, source, node + 1, position - origin
  return node
end

local function finishNode(node)
  nodeFinish[node], nodeAfter[node] = position - origin, tree.count + 1
end

local function mark()
  return {
    position = position, nodes = tree.count, sources = #tree.sources, notes = #tree.notes, outcome = tree.outcome,
  }
end

local function takeBack(from)
  tree:truncate(from.nodes)
  for index = #tree.sources, from.sources + 1, -1 do tree.sources[index] = nil end
  position = from.position
end

local function forgetNotes(from)
  for index = #tree.notes, from.notes + 1, -1 do tree.notes[index] = nil end
  tree.outcome = from.outcome
end

local function replace(from, entry, finish)
  takeBack(from)
  local node = leaf(opaque(entry), finish)
  for index = from.notes + 1, #tree.notes do tree.notes[index].node = node end
end

local HOLDS = { struct = true, polymorphic = true, array = true, tuple = true }

local function unify(entry, from)
  local node = from.nodes + 1
  if node <= tree.count and tree.after[node] == tree.count + 1 and tree.entry[node] ~= UNDISSECTED then return end
  replace(from, entry, limit)
end

local function closeRegion(node, leftOver)
  if position >= limit then return end
  local left = limit - position
  local rest = leaf(UNDISSECTED, limit)
  local entry = tree.entry[node]
  if node < rest and entry and HOLDS[entry.o] then
    tree.after[node] = tree.count + 1
    tree.finish[node] = position - origin
  end
  local over = counted(left, "byte") .. " left over after the last field"
  if leftOver == "" then tree:note("malformed", "warning", rest, over)
  else tree:note("ok", "note", rest, over .. ": " .. leftOver) end
end

local function giveUp()
  if position < limit then leaf(UNDISSECTED, limit) end
  return false
end

local function abandon(node)
  giveUp()
  finishNode(node)
  return false
end

local function fault(node, entry, problem)
  tree:note("malformed", "error", node, nameOf(entry) .. " " .. problem)
end

local function deeper(entry)
  if depth < limits.depth then
    depth = depth + 1
    return true
  end
  fault(tree.count, entry, format("is nested deeper than %s", counted(limits.depth, "level")))
  return false
end

local function cutAt(finish) return isCut and not bounded and finish > limit end

local function cutOff(entry, width, offset, held, node)
  truncated = true
  local needs = format("needs %s%s at offset %.0f; the capture holds %.0f", counted(width, "byte"), claimOf(entry), offset, held)
  tree:note("truncated", "error", node, nameOf(entry) .. " " .. needs)
end

-- Handles a field that needs more bytes than the region has.
local function short(entry, width)
  local left, offset = limit - position, position - origin
  if bounded or width < 0 then
    local node = left > 0 and leaf(UNDISSECTED, limit) or parent
    local region = claimedBy == "" and "" or format(" of the bytes that %s gives", claimedBy)
    local need = width < 0 and format("would have a length of %.14g", width) or "needs " .. counted(width, "byte")
    fault(node, entry, format("%s%s at offset %.0f; %.0f %s left%s", need, claimOf(entry), offset, left, are(left), region))
  elseif isOpen then
    needed = math.max(offset + width, 1)
  else
    cutOff(entry, width, offset, left, left > 0 and leaf(UNDISSECTED, limit) or parent)
  end
  return false
end

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

local decodeField

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

-- Bytes whose form only a function of the dissector knows, to the end of the region.
local function unread(entry, why)
  tree:note("unknown", "note", leaf(opaque(entry), limit), why)
  return false
end

local UNKNOWN_CODEC = "the plugin does not know this form, which is code in the dissector: moul-dissect does"

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

local function choice(entry, slots)
  local selected = slots[entry.ss] or 0
  if entry.sm then selected = band(selected, entry.sm) end
  local chosen = entry.ch[selected] or entry.ot
  if chosen then return decodeField(chosen, slots) end
  tree:note("unknown", "warning", leaf(opaque(entry), limit), format("no type is declared for %.14g", selected))
  return false
end

-- Whether nothing from a field of a struct on is wanted, which is what a function has found.
local function isPassed(entry, found)
  local around = tree.entry[parent]
  local isAfter = false
  for _, one in ipairs(around and around.t and tables[around.t].e or {}) do
    if isAfter and decoder.holds(one) then return false end
    isAfter = isAfter or one == entry
  end
  return isAfter and not decoder.holds(found)
end

-- A type that only a function of the dissector knows: its twin, if there is one, returns an entry or a sentence.
local function resolved(entry, slots)
  local resolver = entry.rv and modules.resolvers[entry.rv]
  local found = resolver and resolver(tree, parent, entry)
    or "the plugin does not know this form: moul-dissect does"
  if type(found) ~= "string" then
    if parent ~= content or not isPassed(entry, found) then return decodeField(found, slots) end
    position = limit
    return true
  end
  return unread(entry, found)
end

local function isWrong(from, withWarnings)
  for index = from.notes + 1, #tree.notes do
    local severity = tree.notes[index].severity
    if severity == "error" or (withWarnings and severity == "warning") then return true end
  end
  return false
end

-- Turns content that is not of its usual type back into bytes, without a fault.
local function doubt(entry, from)
  local last = #tree.notes - (truncated and 1 or 0)
  for index = from.notes + 1, last do
    local note = tree.notes[index]
    if note.severity ~= "note" then
      takeBack(from)
      forgetNotes(from)
      truncated = false
      tree:note("ok", "note", leaf(opaque(entry), limit), "does not have its usual form: " .. note.text)
      return
    end
  end
end

-- Replaces content that breaks the format by that of the other form, unless that makes no sense either.
local function reconsider(entry, from, slots, before)
  if truncated or not isWrong(from, false) then return end
  local function again(form)
    takeBack(from)
    forgetNotes(from)
    inflatedBytes = before
    decodeField(form, slots)
    closeRegion(from.nodes + 1, entry.left or "")
  end
  again(entry.oc)
  if isWrong(from, true) then again(entry.i)
  else tree:note("ok", "note", from.nodes + 1, entry.on) end
end

local function inflatedRegion(entry, finish, slots)
  local expected, start = slots[entry.il] or 0, position
  if expected > limits.inflated - inflatedBytes then
    local most = inflatedBytes == 0 and "" or format(", of which %.0f %s used up", inflatedBytes, are(inflatedBytes))
    tree:note("malformed", "error", leaf(opaque(entry), finish), format(
      "the compressed data would inflate to %s; the limit is %.0f%s", counted(expected, "byte"), limits.inflated, most))
    return true
  end
  local content, problem = inflate(entry.lit, bytes:sub(start + 1, finish), expected)
  if problem and #content <= entry.lit then
    tree:note("malformed", "error", leaf(opaque(entry), finish), problem)
    return true
  end
  inflatedBytes = inflatedBytes + #content
  local from = mark()
  local node = from.nodes + 1
  tree.sources[#tree.sources + 1] = { bytes = content, origin = 0, inflated = true }

  local outerBytes, outerSource, outerOrigin, outerLimit = bytes, source, origin, limit
  local outerBounded, outerClaim = bounded, claimedBy
  bytes, source, origin, position, limit = content, #tree.sources, 0, 0, #content
  bounded, claimedBy = true, entry.iln
  decodeField(entry.i, slots)
  closeRegion(node, "")
  bytes, source, origin, position, limit = outerBytes, outerSource, outerOrigin, start, outerLimit
  bounded, claimedBy = outerBounded, outerClaim

  if node <= tree.count and HOLDS[tree.entry[node].o] then
    tree.source[node], tree.start[node], tree.finish[node] = source, start - origin, finish - origin
    position = finish
  else replace(from, entry, finish) end
  if problem then
    tree:note("malformed", "error", node, problem)
  end
  return true
end

local function region(entry, slots)
  local length = lengthOf(entry, slots)
  local toEnd = length == nil
  if toEnd then length = limit - position end
  if length == 0 then return true end
  local start = position
  local finish = start + length
  if length < 0 or (finish > limit and not cutAt(finish)) then return short(entry, length) end
  if entry.cz and holds(entry.cz, slots) then
    if finish > limit then return short(entry, length) end
    return inflatedRegion(entry, finish, slots)
  end
  local outerLimit, outerClaim, outerBounded, before = limit, claimedBy, bounded, inflatedBytes
  limit = math.min(finish, outerLimit)
  if not toEnd then bounded, claimedBy = finish <= outerLimit, entry.cb or "" end
  local from = mark()
  decodeField(entry.i, slots)
  if needed > 0 then return false end
  closeRegion(from.nodes + 1, entry.left or "")
  if entry.ten then doubt(entry, from)
  elseif entry.oc then reconsider(entry, from, slots, before) end
  unify(entry, from)
  if finish > outerLimit and not truncated then
    cutOff(entry, length, start - origin, outerLimit - start, from.nodes + 1)
  end
  limit, bounded, claimedBy = outerLimit, outerBounded, outerClaim
  return position == finish
end

local kinds = {
  codec = codedLeaf, struct = nested, array = array, bytes = countedLeaf, text = countedLeaf, polymorphic = polymorphic,
  choice = choice, region = region, tuple = tuple, resolved = resolved,
}

decodeField = function(entry, slots)
  local kind = kinds[entry.o]
  if kind then return kind(entry, slots) end
  local finish = position + entry.w
  if finish > limit then return short(entry, entry.w) end
  if entry.s then slots[entry.s] = control[entry.o](bytes, position) end
  leaf(entry, finish)
  return true
end

-- For code that decodes only parts of a message: adds a leaf, or begins and ends a node. Offsets are those in the bytes.
function decoder.add(entry, from, to)
  local node = tree.count + 1
  tree.count = node
  nodeEntry[node], nodeSource[node], nodeAfter[node] = entry, source, node + 1
  nodeStart[node], nodeFinish[node] = from - origin, to - origin
end

function decoder.open(entry, from)
  local node = tree.count + 1
  tree.count = node
  nodeEntry[node], nodeSource[node], nodeAfter[node], nodeStart[node] = entry, source, node + 1, from - origin
  return node
end

function decoder.close(node, to)
  nodeFinish[node], nodeAfter[node] = to - origin, tree.count + 1
end

-- Decodes a field within such a message; returns where it ends, or nil if anything has to be said about it. `isContent`: it
-- ends at `to`.
function decoder.part(entry, from, to, isBounded, level, isContent)
  position, limit, bounded, claimedBy, depth, parent = from, to, isBounded, "", level, 1
  content = isContent and tree.count + 1 or 0
  local whole = decodeField(entry, {})
  content = 0
  return whole and needed == 0 and #tree.notes == 0 and position or nil
end

local function prepare(s, start, finish, extent)
  tree:clear()
  bytes, source, origin, position, limit = s, 1, start, start, finish
  local first = tree.sources[1]
  if first then first.bytes, first.origin = s, start
  else tree.sources[1] = { bytes = s, origin = start } end
  depth, parent, claimedBy, truncated, inflatedBytes, needed = 0, 1, "", false, 0, 0
  bounded, isOpen, isCut = extent == "exact", extent == "open", extent == "cut" or extent == "head"
end

-- Decodes one value from the bytes of `s` between two offsets. `extent` is one of
--   "exact": these bytes are the value;
--   "open": more may come, and what follows the value is not its own;
--   "cut": the capture holds no more of it; "head": the same, but all bytes belong to the value.
-- `sparse`: what is not wanted may be left out, below the members of the value ("members") or these, too ("all").
-- Returns the number of bytes that the value took or, if there are too few ("open"), nil and the number needed.
function decoder.decode(entry, s, start, finish, extent, sparse)
  prepare(s, start, finish, extent)
  if sparse and decoder.skim then
    local node = begin(entry)
    local stop = decoder.skim(entry, s, start, finish, extent, sparse == "members")
    if stop then
      nodeFinish[node], nodeAfter[node] = stop - start, tree.count + 1
      return stop - start
    end
    prepare(s, start, finish, extent)
  end
  local from = mark()
  decodeField(entry, {})
  if needed > 0 then return nil, needed end
  if extent == "exact" then closeRegion(1, "")
  elseif extent == "head" then closeRegion(1, "not declared") end
  unify(entry, from)
  return position - start
end

-- Trees that are used again, and most nodes of such a one.
local free, MOST_FREE, MOST_NODES = {}, 64, 4096

-- Returns the tree, which stays as it is when something else is decoded, until it is released.
function decoder.keep()
  local kept = tree
  tree = table.remove(free) or Tree.new()
  decoder.tree = tree
  nodeEntry, nodeSource, nodeStart, nodeFinish, nodeAfter = tree.entry, tree.source, tree.start, tree.finish, tree.after
  return kept
end

function decoder.release(kept)
  if #free < MOST_FREE and kept.count <= MOST_NODES then free[#free + 1] = kept end
end

return decoder
