-- The conversations of a capture: what has been consumed of each direction, how it is decrypted, and which messages each
-- packet has completed. Packets are read in order once; whenever Wireshark comes back to one, what was found then is
-- shown again. So going back and forth, filters and a second pass give the same.

local modules = ...
local session, reader, keys, memory, kept = modules.session, modules.reader, modules.keys, modules.memory, modules.kept
local format, sub = string.format, string.sub

local streams = {}

local WORD, HALF = 4294967296, 2147483648
-- Most packets, and bytes of them, that are held until it is known whose conversation they belong to.
local MOST_HELD, MOST_HELD_BYTES = 256, 262144

local conversations, held = {}, {}
-- Without a filter, the first pass of tshark -2 is without the fields that say where packets belong: `isBlank` until one
-- had them. Then `isLate`: packets are read in the second pass, in which Wireshark puts none of them together.
-- What that pass leaves is which conversations are ours, and the last packet of each end that had bytes.
local isBlank, isLate, claimed, latest = true, false, {}, {}

-- Forgets everything: another capture is read, or this one from its beginning.
function streams.reset()
  conversations, held, isBlank, isLate, claimed, latest = {}, {}, true, false, {}, {}
  kept.reset()
  reader.reset()
  keys.reset()
  if session.reset then session.reset() end
end

local function newSide(conversation, direction)
  -- As what messages show: datagrams to a group, or to oneself, have no direction.
  local side = { ahead = "", conversation = conversation, shownAs = conversation.isUndirected and "none" or direction }
  -- Uses the cipher of the direction for what has already come, from the consumed place on.
  function side.decryptAhead()
    if side.waiting then
      side.cipher, side.waiting = side.waiting, nil
      side.ahead = side.cipher:apply(side.ahead)
    end
  end
  conversation[direction] = side
end

-- The conversation with this key (its transport and number), or nil.
function streams.get(key) return conversations[key] end

-- True if nobody in particular is spoken to.
local function isGroup(address)
  local first = tonumber(address:match("^(%d+)%."))
  if first then return (first >= 224 and first <= 239) or address == "255.255.255.255" end
  return address:find("^ff%x%x:") ~= nil
end

local function newConversation(key, opening, opened)
  local client, server = opening.from, opening.to
  if opened.client == "to" then client, server = server, client end
  local conversation = { number = key, transport = opening.transport, client = client.name }
  if client.port ~= server.port then conversation.clientPort = client.port end
  -- The two ends may be the same: then only one of them speaks.
  if client.name == server.name then conversation.only = opened.client == "to" and "s2c" or "c2s" end
  conversation.isUndirected = opening.transport == "udp" and (client.name == server.name or isGroup(server.address))
  newSide(conversation, "c2s")
  newSide(conversation, "s2c")
  conversation.stream = {
    transport = opening.transport, client = client, server = server,
    keyOf = keys.of,
    decrypt = function(direction, cipher) conversation[direction].waiting = cipher end,
    -- How many encrypted bytes of a direction have passed, whether they were captured or not.
    passed = function(direction) return conversation[direction].passed or 0 end,
    ended = function(direction) return conversation[direction].isEnded == true end,
  }
  conversation.session = opened.new(conversation.stream)
  conversations[key] = conversation
  return conversation
end

-- What is known of a conversation whose first packets are held, of which the last one has just come.
local function openingOf(waiting, packet, transport, declared)
  local opening = { transport = transport, from = packet.from, to = packet.to, declared = declared }
  if transport == "udp" then
    opening.bytes, opening.answer = packet.raw, ""
    return opening
  end
  local first = waiting[1]
  local bytes, answer = {}, {}
  for _, one in ipairs(waiting) do
    local side = (one.from.name == first.from.name) and bytes or answer
    side[#side + 1] = one.raw
  end
  opening.from, opening.to = first.from, first.to
  opening.bytes, opening.answer = table.concat(bytes), table.concat(answer)
  return opening
end

-- The direction of a packet in a conversation.
local function directionOf(conversation, packet)
  if conversation.only then return conversation.only end
  local port = conversation.clientPort
  if port then return packet.fromPort == port and "c2s" or "s2c" end
  return conversation.client == packet.from.name and "c2s" or "s2c"
end

local readPacket

-- Looks whose a conversation is, by the packets so far: returns it once that is known. The packets before are read then.
function streams.open(key, packet, transport, declared)
  local waiting = held[key] or { bytes = 0 }
  if waiting.isOver then return nil end
  waiting[#waiting + 1] = packet
  waiting.bytes = waiting.bytes + #packet.raw
  local opening = openingOf(waiting, packet, transport, declared)
  local opened = session.open(opening)
  if opened == "more" and #waiting < MOST_HELD and waiting.bytes < MOST_HELD_BYTES then
    held[key] = waiting
    return nil
  end
  held[key] = nil
  if type(opened) ~= "table" then
    if session.isFinal and transport == "tcp" then held[key] = { isOver = true } end
    return nil
  end
  local conversation = newConversation(key, opening, opened)
  for index = 1, #waiting - 1 do
    local earlier = waiting[index]
    local direction = directionOf(conversation, earlier)
    local record = readPacket(conversation, direction, earlier)
    for _, found in ipairs(record.items) do found.tree = nil end
    kept.put(earlier.number, record, conversation[direction])
  end
  return conversation
end

-- Reads a datagram, whose end is the end of its messages.
local function datagram(conversation, direction, packet)
  local side = conversation[direction]
  local record = reader.newRecord(packet.raw, conversation, side.shownAs)
  if conversation.session.datagram then conversation.session:datagram(direction) end
  side.searching = nil
  local _, _, s = reader.read(conversation, direction, side, record, packet.raw, packet)
  record.plain = s
  return record
end

-- Reads a packet for the first time.
function readPacket(conversation, direction, packet)
  if conversation.transport == "udp" then return datagram(conversation, direction, packet) end
  local side, raw, start = conversation[direction], packet.raw, packet.start
  local record = reader.newRecord(raw, conversation, direction)
  side.decryptAhead()
  -- Wireshark does not tell of an end without bytes. No more of them came in the first pass.
  side.isEnded = packet.isLast or (isLate and latest[packet.from.name .. " " .. packet.to.name] == packet.number)
  -- From 4.4 on, Wireshark puts together what has come too late, too: its last segment is before the consumed place.
  local isNew = side.next and (packet.finish - side.next - 1) % WORD < HALF
  if packet.isTogether and isNew then start = side.next end
  if side.next == nil then side.next = start end
  local gap = (start - side.next) % WORD
  if gap >= HALF then gap = gap - WORD end
  local ahead = side.ahead
  local again = isLate and gap >= 0 and gap < #ahead and #ahead - gap
  if again then
    -- What is waited with has come again, and perhaps more.
    if again >= #raw then
      record.isRepeated = true
      return record
    end
    record.skip, record.isJoined = again, true
    raw = ahead .. sub(raw, again + 1)
  elseif gap < 0 then
    -- A retransmission: only what goes on after the consumed place is new.
    if -gap >= #raw then
      record.isRepeated = true
      return record
    end
    record.skip = -gap
    raw = sub(raw, record.skip + 1)
  elseif gap > 0 and gap == #ahead then
    -- The packet before was held, so that Wireshark has not put the two together.
    record.isJoined = true
    raw = ahead .. raw
  elseif gap > 0 then
    if side.cipher and gap > #ahead then side.cipher:advance(gap - #ahead) end
    if side.passed then side.passed = side.passed + gap end
    side.ahead, side.next, side.searching, ahead = "", start, true, ""
    if conversation.session.lost then conversation.session:lost(direction) end
    reader.add(record, "gap", 0, 0, { reason = format("%.0f bytes are missing before this", gap), status = "truncated" })
  end
  -- A copy takes time, if a short one.
  local fresh = ahead == "" and raw or sub(raw, #ahead + 1)
  local s = ahead .. (side.cipher and side.cipher:apply(fresh) or fresh)
  local at, wanted, plain = reader.read(conversation, direction, side, record, s, packet)
  record.plain = plain
  side.ahead = sub(plain, at + 1)
  side.next = (side.next + at) % WORD
  if wanted then record.waitsAt, record.waitsFor = at, wanted end
  -- Wireshark does not have these bytes in one piece.
  record.isOther = record.isJoined or plain ~= raw
  return record
end

-- Keeps other dissectors from the packets of a conversation in a pass without fields. Returns whether it is one of ours,
-- as far as its beginning says.
function streams.claim(packet, transport, declared)
  local key = packet.from.name .. " " .. packet.to.name
  latest[key] = packet.number
  if claimed[key] then return true end
  local opening = { transport = transport, from = packet.from, to = packet.to, bytes = packet.raw, answer = "", declared = declared }
  if type(session.open(opening)) ~= "table" then return false end
  claimed[packet.to.name .. " " .. packet.from.name], claimed[key] = true, true
  return true
end

-- True for a packet that is to be read now, if that has not been done.
function streams.isTime(isVisited)
  if isVisited and isBlank then isLate = true end
  isBlank = false
  return isLate or not isVisited
end

-- True if Wireshark can be asked to put packets together.
function streams.canAsk() return not isLate end

-- Returns what is in a packet: found now, or when it was read for the first time; and whether it can be used again.
function streams.record(conversation, packet, isTime)
  local known = kept.get(packet.number, conversation, packet.raw)
  if known or not isTime then return known end
  memory.notice()
  local direction = directionOf(conversation, packet)
  local record = readPacket(conversation, direction, packet)
  local isSpare = kept.put(packet.number, record, conversation[direction])
  return record, isSpare
end

return streams
