-- Fields whose type depends on something: on a number, on a function, or on whether their bytes make sense.

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
