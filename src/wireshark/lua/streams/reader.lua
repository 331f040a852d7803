-- Reads what has come in a direction of a conversation: the messages in it go into a record of their packet, with what
-- is known about each. Everything here happens once for each packet, in their order.

local modules = ...
local decoder, summary, names = modules.decoder, modules.summary, modules.names
local fields = modules.fields
local format, sub = string.format, string.sub

local reader = {}

-- Most bytes that are waited for: what claims to be longer is not a message.
local LONGEST = 16777216
local MOST_REQUESTS = 32768
-- Most parts of a reply that may be on their way at once.
local MOST_PARTS = 256
-- Most messages of a packet whose trees are kept until they are shown.
local MOST_KEPT = 64

local count, requests, requestCount = 0, {}, 0

-- Whether what a message says beyond its fields is shown: its summary, names of what it refers to, and what answers it.
local hasSummary, hasNames, hasLinks

function reader.reset()
  local wanted = fields.wanted
  local function isShown(field) return wanted == nil or wanted[field] == true end
  hasSummary = isShown(fields.summary)
  hasNames = hasSummary or isShown(fields.named)
  hasLinks = hasNames or isShown(fields.answers) or isShown(fields.answeredBy) or isShown(fields.milliseconds)
  count, requests, requestCount = 0, {}, 0
  names.reset()
end

local function add(record, kind, at, length, more)
  count = count + 1
  local found = more or {}
  found.kind, found.at, found.length, found.number = kind, at, length, count
  record.items[#record.items + 1] = found
  return found
end
reader.add = add

-- A time, of which half of the last digit is rounded up, as moul-dissect does: C does not.
local function roundedUp(milliseconds)
  local digits = format("%.25g", milliseconds):gsub("[.]", ""):gsub("^0+", "")
  return digits:find("^%d%d5$") and milliseconds * (1 + 2 ^ -50) or milliseconds
end

-- Says in the summary of a message that it belongs to an earlier one. Two digits are enough to compare at a glance.
local function linkTo(found, earlier, packet)
  -- Wireshark's time is a float of seconds: what is below nanoseconds is noise.
  local milliseconds = math.floor((packet.time - earlier.time) * 1e9 + 0.5) / 1e6
  if not hasSummary then return milliseconds end
  if milliseconds < 0 then found.link = format("(#%d)", earlier.number)
  elseif milliseconds < 10 then found.link = format("(#%d, %.2g ms)", earlier.number, roundedUp(milliseconds))
  else found.link = format("(#%d, %.0f ms)", earlier.number, milliseconds) end
  return milliseconds
end

-- Matches a reply with its request, by the key that the session gives both. `exchange.once`: the first reply is the only
-- one, and a later request takes the place of an earlier one; `exchange.tag`: what both must have in common besides.
-- `exchange.subject`: the name in a request for what the reply has the number of, which is `exchange.named`.
-- A client may acknowledge the parts of a reply (`isPart`) in their order (`isReceipt`).
local function match(conversation, found, exchange, packet)
  if exchange == nil then return end
  local id = exchange.everywhere and exchange.key or conversation.number .. " " .. exchange.key
  local own = { item = found, frame = packet.number, time = packet.time, number = found.number, tag = exchange.tag, subject = exchange.subject }
  local request = requests[id]
  if exchange.isReceipt then
    local part = request and request.parts and table.remove(request.parts, 1)
    if part then linkTo(found, part, packet) end
  elseif exchange.isRequest then
    if requestCount >= MOST_REQUESTS then requests, requestCount = {}, 0 end
    requestCount = requestCount + 1
    requests[id] = own
  elseif request and request.tag == exchange.tag then
    found.answers, found.milliseconds = request.frame, linkTo(found, request, packet)
    local named = exchange.named
    if named and (request.subject or "") ~= "" then
      names.setFor(conversation.session.scope, named, decoder.tree, request.subject)
    end
    if request.item.answeredBy == nil then request.item.answeredBy = packet.number end
    if exchange.isPart then
      request.parts = request.parts or {}
      if #request.parts < MOST_PARTS then request.parts[#request.parts + 1] = own end
    end
    if exchange.once then requests[id] = nil end
  end
end

-- The names that decoding has asked for, in their order: whenever the message is shown, they are the same. They are those
-- of a scope.
local asked, askedIn

local function nameOf(kind, tree, node)
  local name = names.find(askedIn, kind, tree, node)
  asked = asked or {}
  asked[#asked + 1] = name or false
  return name
end

local function askFor(scope) asked, askedIn, decoder.nameOf = nil, scope, nameOf end

-- Decodes a message again, with the names of then.
function reader.decodeAgain(found, ...)
  local index = 0
  decoder.nameOf = function()
    index = index + 1
    return found.asked and found.asked[index] or nil
  end
  return decoder.decode(...)
end

-- A record and messages that nobody has any more, to be used again: making tables takes time, and more among many others.
local spareRecord, spares, spareCount = nil, {}, 0

function reader.newRecord(raw, conversation, direction)
  local record = spareRecord
  if record == nil then
    return { raw = raw, plain = false, items = {}, conversation = conversation, direction = direction, skip = 0 }
  end
  spareRecord = nil
  record.raw, record.conversation, record.direction = raw, conversation, direction
  return record
end

-- Takes back a record of usual messages that is neither kept nor shown any more.
function reader.release(record)
  local items = record.items
  for index = #items, 1, -1 do
    if spareCount < MOST_KEPT then
      spareCount = spareCount + 1
      spares[spareCount] = items[index]
    end
    items[index] = nil
  end
  record.waitsAt, record.waitsFor, record.isOther, spareRecord = nil, nil, nil, record
end

-- What messages of a type have in common, as their metatable; `isBare`: no field of them is wanted.
local function usualOf(own, step, isBare)
  local entry, kind = step.entry, isBare and "bare" or "usual"
  local usual = entry[kind]
  if usual == nil or usual.protocol ~= own.protocol or usual.extent ~= step.extent then
    usual = {
      kind = "message", entry = entry, name = entry.n, protocol = own.protocol, extent = step.extent, sparse = step.sparse,
      status = "ok", summary = "", isBare = isBare, isUsual = true,
    }
    usual.__index = usual
    entry[kind] = usual
  end
  return usual
end

-- Adds the message in the decoder's tree, of which nothing but fields is shown, and nothing has to be known later.
local function addBrief(own, record, at, taken, step)
  local tree, items = decoder.tree, record.items
  count = count + 1
  local isBare = tree.count == 1 and tree.outcome == "ok" and #tree.notes == 0
  local index = #items + 1
  -- Whatever is kept of all messages takes time with large captures, and so does a table that grows.
  local found, usual = nil, usualOf(own, step, isBare)
  if spareCount > 0 then
    found, spareCount = setmetatable(spares[spareCount], usual), spareCount - 1
    found.at, found.length, found.number = at, taken, count
  else found = setmetatable({ at = at, length = taken, number = count, tree = false }, usual) end
  if not isBare and index <= MOST_KEPT then found.tree = decoder.keep() end
  if tree.outcome ~= "ok" or asked then found.isUsual, found.status, found.asked = false, tree.outcome, asked end
  items[index] = found
end

-- Adds the message in the decoder's tree.
local function addMessage(conversation, direction, record, packet, at, taken, step)
  local own, tree = conversation.session, decoder.tree
  -- Shown soon.
  local isKept = #record.items < MOST_KEPT
  -- All members at once: a table that grows is slow.
  local found = add(record, "message", at, taken, {
    kind = "message", at = at, length = taken, number = 0, entry = step.entry, name = step.entry.n, protocol = own.protocol,
    extent = step.extent, note = step.note, status = tree.outcome, asked = asked, remarks = step.remarks,
    sparse = step.sparse, summary = "", tree = false,
  })
  names.learn(own.scope, tree)
  if step.remarks then step.remarks(tree) end
  local exchange = own:decoded(direction, tree, step)
  found.protocol, found.status = own.protocol, tree.outcome
  if step.note and step.note.status == "malformed" then found.status = "malformed"
  elseif step.note and step.note.status and found.status == "ok" then found.status = step.note.status end
  if hasLinks then match(conversation, found, exchange, packet) end
  if hasNames then found.labels = names.labels(own.scope, tree) end
  found.summary = hasSummary and summary(tree, found.labels) or ""
  if isKept then found.tree = decoder.keep() end
  if found.link then found.summary = found.summary .. (found.summary ~= "" and " " or "") .. found.link end
  local assembled = own.assembled and own:assembled()
  if assembled then
    askFor(own.scope)
    decoder.decode(assembled.entry, assembled.bytes, 0, #assembled.bytes, "exact")
    local whole = add(record, "message", 0, #assembled.bytes, {
      entry = assembled.entry, name = assembled.entry.n, protocol = own.protocol, extent = "exact", bytes = assembled.bytes,
      status = decoder.tree.outcome,
    })
    whole.summary = summary(decoder.tree, {})
  end
end

local function counted(number, noun)
  return number == 1 and "1 " .. noun or format("%.0f %ss", number, noun)
end

local function decodeTo(own, step, s, at, finish, extent)
  step.extent = extent
  askFor(own.scope)
  return decoder.decode(step.entry, s, at, finish, extent, step.sparse)
end

-- Decodes the message of a step. Returns its length, or nil and the number of bytes that it needs. `isAll`: nothing can
-- follow the available bytes, as in a datagram.
local function decodeStep(own, direction, step, s, at, limit, isAll, isCut)
  local length, name = step.length, step.entry.n
  step.sparse = own.sparse and own:sparse(direction, step.entry, hasLinks)
  if length and at + length <= limit then return decodeTo(own, step, s, at, at + length, "exact") end
  if not isAll then
    if length then return nil, length end
    return decodeTo(own, step, s, at, limit, "open")
  end
  local function decode(extent) return decodeTo(own, step, s, at, limit, extent) end
  if length == nil then
    step.note = isCut and { status = "truncated", text = format("the capture holds %s of %s", counted(limit - at, "byte"), name) }
    return decode(isCut and "cut" or "exact")
  end
  if isCut then
    step.note = { status = "truncated", text = format("the capture holds %.0f of the %.0f bytes of %s", limit - at, length, name) }
    return decode("cut")
  end
  step.note = { status = "malformed", text = format("%s would have %s; its datagram ends after %.0f", name, counted(length, "byte"), limit - at) }
  return decode("exact")
end

-- Reads messages from `at` on; returns where it stopped, the bytes that are needed from there on, and the bytes, of
-- which some may have been decrypted.
function reader.read(conversation, direction, side, record, s, packet)
  local own, isDatagram = conversation.session, conversation.transport == "udp"
  local at, limit, wanted = 0, #s, nil
  while at < limit do
    if side.searching then
      if own.candidate and own:candidate(direction, s, at, limit) then side.searching = false
      else
        local reason = type(side.searching) == "string" and side.searching or "no message begins here: bytes before it are missing"
        add(record, "skipped", at, limit - at, { reason = reason, status = side.searchStatus or "truncated", protocol = own.protocol })
        return limit, nil, s
      end
    end
    local step = own:next(direction, s, at, limit)
    local kind = step.step
    if kind == "again" then
      local before = sub(s, 1, at)
      side.ahead = sub(s, at + 1)
      side.decryptAhead()
      s = before .. side.ahead
    elseif kind == "message" then
      local taken, needed = decodeStep(own, direction, step, s, at, limit, isDatagram, packet.isCut)
      if taken == nil and needed <= LONGEST then return at, needed - (limit - at), s end
      if taken == nil then
        local reason = format("%s would have at least %.0f bytes; the limit is %.0f", step.entry.n, needed, LONGEST)
        add(record, "malformed", at, limit - at, { name = step.entry.n, reason = reason, protocol = own.protocol })
        at = limit
      else
        if taken < 1 then taken = limit - at end
        if step.sparse == "all" and decoder.skim and step.note == nil then addBrief(own, record, at, taken, step)
        else addMessage(conversation, direction, record, packet, at, taken, step) end
        at = at + taken
      end
    elseif kind == "more" and not isDatagram then return at, step.untilEnd and "end" or step.bytes - (limit - at), s
    elseif kind == "more" then
      add(record, "skipped", at, limit - at, { reason = "the datagram ends too early to tell what this is", status = "truncated", protocol = own.protocol })
      at = limit
    elseif kind == "search" then side.searching = "no message was found where the capture begins"
    elseif kind == "encrypted" then
      -- All of a direction is one range, under one number.
      local found = add(record, "encrypted", at, limit - at, { reason = step.reason, protocol = own.protocol })
      if side.encryptedNumber then count, found.number = count - 1, side.encryptedNumber end
      side.encryptedNumber, side.passed = found.number, (side.passed or 0) + limit - at
      at = limit
    elseif kind == "wait" or kind == "foreign" then
      local reason = step.reason or "this cannot be read without the other direction"
      add(record, "skipped", at, limit - at, { reason = reason, status = kind == "wait" and "truncated" or "unknown", protocol = own.protocol })
      at = limit
    else
      -- A claim of no bytes at all would be found again forever.
      local isKnown = step.length ~= nil and step.length > 0
      local length = isKnown and math.min(step.length, limit - at) or limit - at
      local head = step.entry
      add(record, kind, at, length, { name = step.name, reason = step.reason, protocol = own.protocol, entry = head })
      at = at + length
      if not isKnown then side.searching = "no message was found after " .. step.name end
    end
  end
  return at, wanted, s
end

return reader
