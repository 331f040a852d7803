-- What is said of bytes that break the format, or that only a function of the dissector knows.

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

-- Bytes whose form only a function of the dissector knows, to the end of the region.
local function unread(entry, why)
  tree:note("unknown", "note", leaf(opaque(entry), limit), why)
  return false
end

local UNKNOWN_CODEC = "the plugin does not know this form, which is code in the dissector: moul-dissect does"
