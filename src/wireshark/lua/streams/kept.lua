-- What was found in packets, for when Wireshark comes back to them. Whatever is kept, Lua goes through each time it collects
-- garbage: so of packets in which nothing is unusual there are only rows, one table for each instead of one for each message.

local kept = {}

-- The records of a packet, by its number: mostly one, else the latest, which leads to others.
local records
-- By numbers of packets: the bytes as they came, decrypted, and the row: the side of the conversation, the number of the
-- first message, from where on which bytes are waited for, and of each message its place, its length, and its metatable.
local raws, plains, rows

local FIRST, EACH = 5, 3

function kept.reset() records, raws, plains, rows = {}, {}, {}, {} end
kept.reset()

-- The row of a record, or nil for one that has to be kept as it is. A table that grows is slow.
local function rowOf(record, side)
  local items = record.items
  if record.skip > 0 or record.isJoined or record.isRepeated or #items == 0 then return nil end
  for _, found in ipairs(items) do
    if not found.isUsual then return nil end
  end
  local one, two, three = items[1], items[2], items[3]
  local number, at, bytes, kind = one.number, record.waitsAt or false, record.waitsFor or false, getmetatable(one)
  if two == nil then return { side, number, at, bytes, one.at, one.length, kind } end
  local row = three and {
    side, number, at, bytes, one.at, one.length, kind, two.at, two.length, getmetatable(two),
    three.at, three.length, getmetatable(three),
  } or { side, number, at, bytes, one.at, one.length, kind, two.at, two.length, getmetatable(two) }
  for index = 4, #items do
    local found, place = items[index], FIRST + (index - 1) * EACH
    row[place], row[place + 1], row[place + 2] = found.at, found.length, getmetatable(found)
  end
  return row
end

-- Keeps a record of a packet; `side` is the direction of its conversation. Returns true if the record itself is not kept.
function kept.put(number, record, side)
  local row = rows[number] == nil and rowOf(record, side)
  if not row then
    record.other, records[number] = records[number], record
    return false
  end
  raws[number], plains[number], rows[number] = record.raw, record.plain, row
  return true
end

local function recordOf(number, row)
  local raw, plain, side, items = raws[number], plains[number], row[1], {}
  for at = FIRST, #row, EACH do
    local found = { at = row[at], length = row[at + 1], number = row[2] + #items, tree = false }
    items[#items + 1] = setmetatable(found, row[at + 2])
  end
  return {
    raw = raw, plain = plain, items = items, conversation = side.conversation, direction = side.shownAs, skip = 0,
    waitsAt = row[3] or nil, waitsFor = row[4] or nil, isOther = plain ~= raw,
  }
end

-- True for these bytes, of which `skip` belong to earlier messages. Later, Wireshark leaves out those that belong to a
-- message that goes on, from `waitsAt` on.
local function isSame(raw, skip, waitsAt, bytes)
  if raw == bytes then return true end
  return waitsAt and #bytes == skip + waitsAt and raw:sub(1, #bytes) == bytes
end

-- Returns the record of these bytes of a packet in a conversation, or nil.
function kept.get(number, conversation, bytes)
  local row = rows[number]
  if row and row[1].conversation == conversation and isSame(raws[number], 0, row[3], bytes) then
    return recordOf(number, row)
  end
  local known = records[number]
  while known do
    if known.conversation == conversation and isSame(known.raw, known.skip, known.waitsAt, bytes) then return known end
    known = known.other
  end
  return nil
end

return kept
