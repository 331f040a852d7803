-- Decodes bytes by the tables of the declarations: one small decoder for all classes. It does what the decoder of
-- moul-dissect does (src/schema/decode), and words its notes in the same way.
--
-- Nothing that the bytes hold makes it fail. Where they break the format, the tree up to that place is kept, the rest of
-- the region becomes one leaf named `undissected`, and decoding continues after the region.
--
-- The files of this folder are parts of one function, in the order of index.ts, for they share their state as locals:
-- members of a table take more time.

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

local decodeField

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
