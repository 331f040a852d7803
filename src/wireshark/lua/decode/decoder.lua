-- What the rest of the plugin calls.

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
