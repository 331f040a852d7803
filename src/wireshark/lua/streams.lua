-- The conversations of a capture: what has been consumed of each direction, how it is decrypted, and which messages each
-- packet has completed. Packets are read in order once; whenever Wireshark comes back to one, what was found then is
-- shown again. So going back and forth, filters and a second pass give the same.

local modules = ...
local decoder, session, render, entryOf = modules.decoder, modules.session, modules.render, modules.entry
local format, sub = string.format, string.sub

local streams = { keys = {}, keyFile = "" }

local WORD, HALF = 4294967296, 2147483648
-- Most bytes that are waited for: what claims to be longer is not a message.
local LONGEST = 16777216
local MOST_REQUESTS = 32768

local conversations, records, count, requests, requestCount = {}, {}, 0, {}, 0

-- Forgets everything: another capture is read, or this one from its beginning.
function streams.reset()
  conversations, records, count, requests, requestCount = {}, {}, 0, {}, 0
  streams.keys = {}
  if streams.keyFile ~= "" then
    local file = io.open(streams.keyFile, "rb")
    if file then
      session.readKeys(file:read("*a"), streams.keys)
      file:close()
    end
  end
end

-- The key for a client's public value. A log that is still being written is read again.
local function keyOf(y)
  local function found()
    for _, name in ipairs(session.keyNames(y)) do
      if streams.keys[name] then return streams.keys[name] end
    end
  end
  local key = found()
  if key or streams.keyFile == "" then return key end
  local file = io.open(streams.keyFile, "rb")
  if file then
    session.readKeys(file:read("*a"), streams.keys)
    file:close()
  end
  return found()
end

local function newConversation(number, client)
  local conversation = { number = number, client = client, c2s = { ahead = "" }, s2c = { ahead = "" } }
  local stream = {
    keyOf = keyOf,
    decrypt = function(direction, cipher) conversation[direction].waiting = cipher end,
  }
  conversation.stream = stream
  conversations[number] = conversation
  return conversation
end

function streams.get(number) return conversations[number] end

-- Opens a conversation that begins with these bytes, from this end; nil if it is not one.
function streams.open(number, from, to, s, isServer, declared)
  local begins = session.begins(s)
  if begins ~= "no" then
    local conversation = newConversation(number, from)
    conversation.session = session.new(conversation.stream)
    return conversation
  end
  if not isServer and not declared then return nil end
  local direction = isServer == "from" and "s2c" or "c2s"
  local server = declared or session.spoken(direction, s)
  if server == nil then return nil end
  local conversation = newConversation(number, direction == "c2s" and from or to)
  conversation.session = session.midstream(conversation.stream, server)
  return conversation
end

-- Uses the cipher of a direction for what has already come, from the consumed place on.
local function decryptAhead(side)
  if side.waiting then
    side.cipher, side.waiting = side.waiting, nil
    side.ahead = side.cipher:apply(side.ahead)
  end
end

local function item(record, kind, at, length, more)
  count = count + 1
  local found = more or {}
  found.kind, found.at, found.length, found.number = kind, at, length, count
  record.items[#record.items + 1] = found
  return found
end

-- Matches a reply with its request.
local function match(conversation, found, direction, key, isRequest, pinfo)
  if key == nil then return end
  local id = conversation.number .. " " .. key
  local time = pinfo.abs_ts
  if isRequest then
    if requestCount >= MOST_REQUESTS then requests, requestCount = {}, 0 end
    requestCount = requestCount + 1
    requests[id] = { item = found, frame = pinfo.number, time = time, number = found.number }
  elseif requests[id] then
    local request = requests[id]
    found.answers = request.frame
    found.answersNumber = request.number
    found.milliseconds = (time - request.time) * 1000
    if request.item.answeredBy == nil then request.item.answeredBy = pinfo.number end
  end
end

-- Reads what has come in a direction: the messages go into the record, and what is needed further is returned.
local function read(conversation, direction, side, record, isFinal, pinfo)
  local own = conversation.session
  local s = side.ahead
  local at, limit = 0, #s
  local wanted
  while at < limit do
    if side.searching then
      if own.candidate and own:candidate(direction, s, at, limit) then side.searching = false
      else
        item(record, "skipped", at, limit - at, { reason = "no message begins here: bytes before it are missing" })
        at = limit
        break
      end
    end
    local step = own:next(direction, s, at, limit)
    local kind = step.step
    if kind == "again" then
      local before = sub(s, 1, at)
      side.ahead = sub(s, at + 1)
      decryptAhead(side)
      s = before .. side.ahead
      side.ahead = s
    elseif kind == "message" then
      local length = step.length
      local taken, needed
      if length and at + length > limit then needed = length
      elseif length then
        taken = decoder.decode(step.entry, s, at, at + length, "exact")
      else taken, needed = decoder.decode(step.entry, s, at, limit, "open") end
      if taken == nil then
        if needed > LONGEST then
          item(record, "malformed", at, limit - at, { name = step.entry.n, reason = "the message would have " .. format("%.0f", needed) .. " bytes" })
          at = limit
          break
        end
        wanted = needed - (limit - at)
        break
      end
      if taken == 0 then taken = limit - at end
      local tree = decoder.tree
      local found = item(record, "message", at, taken, {
        entry = step.entry, name = step.entry.n, extent = length and "exact" or "open", protocol = own.protocol,
        status = tree.outcome,
      })
      found.summary = render.summary(tree)
      local key, isRequest = own:decoded(direction, tree)
      found.protocol = own.protocol
      match(conversation, found, direction, key, isRequest, pinfo)
      at = at + taken
    elseif kind == "more" then
      wanted = step.bytes - (limit - at)
      break
    elseif kind == "encrypted" then
      -- Shown once for each direction.
      item(record, "encrypted", at, limit - at, { reason = step.reason, isRepeated = side.isEncrypted, protocol = own.protocol })
      if side.isEncrypted then count = count - 1 end
      side.isEncrypted = true
      at = limit
    elseif kind == "wait" then
      item(record, "skipped", at, limit - at, { reason = "this cannot be read without the other direction" })
      at = limit
    else
      local length = step.length and math.min(step.length, limit - at) or limit - at
      item(record, kind, at, length, { name = step.name, reason = step.reason, protocol = own.protocol })
      at = at + length
      if step.length == nil then side.searching = true end
    end
  end
  record.plain = s
  side.ahead = sub(s, at + 1)
  side.next = (side.next + at) % WORD
  if wanted then record.desegment = { at, wanted } end
end

-- Reads a packet for the first time. `start` is the sequence number of its first byte.
local function first(conversation, direction, raw, start, pinfo)
  local side = conversation[direction]
  local record = { raw = raw, items = {}, conversation = conversation, direction = direction }
  decryptAhead(side)
  if side.next == nil then side.next = start end
  local known = side.next
  local gap = (start - known) % WORD
  if gap >= HALF then gap = gap - WORD end
  record.skip = 0
  if gap < 0 then
    -- A retransmission: only what goes on after the consumed place is new.
    if -gap >= #raw then
      record.isRepeated = true
      return record
    end
    record.skip = -gap
    raw = sub(raw, record.skip + 1)
  elseif gap > 0 then
    if side.cipher then side.cipher:advance(gap - #side.ahead > 0 and gap - #side.ahead or 0) end
    side.ahead, side.next, side.searching = "", start, true
    item(record, "gap", 0, 0, { reason = format("%.0f bytes are missing before this", gap) })
  end
  local fresh = sub(raw, #side.ahead + 1)
  side.ahead = side.ahead .. (side.cipher and side.cipher:apply(fresh) or fresh)
  read(conversation, direction, side, record, false, pinfo)
  record.isDecrypted = record.plain ~= raw
  return record
end

-- True if a record is of these bytes. Later, Wireshark leaves out those that belong to a message that goes on.
local function isSame(record, raw)
  if record.raw == raw then return true end
  local wanted = record.desegment
  return wanted ~= nil and #raw == record.skip + wanted[1] and sub(record.raw, 1, #raw) == raw
end

-- Returns what is in a packet: found now, or when it was read for the first time.
function streams.record(conversation, direction, raw, start, pinfo)
  local list = records[pinfo.number]
  if list then
    for _, record in ipairs(list) do
      if record.conversation == conversation and isSame(record, raw) then return record end
    end
  else
    list = {}
    records[pinfo.number] = list
  end
  if pinfo.visited then return nil end
  local record = first(conversation, direction, raw, start, pinfo)
  list[#list + 1] = record
  return record
end

-- Where the bytes begin that a direction waits for.
function streams.nextOf(conversation, direction) return conversation[direction].next end

return streams
