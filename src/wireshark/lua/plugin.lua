-- What Wireshark calls.

local modules = ...
local declared, fields, streams, render, decoder, keys =
  modules.declared, modules.fields, modules.streams, modules.render, modules.decoder, modules.keys
local session, reader, packets, format = modules.session, modules.reader, modules.packets, string.format

-- Called as functions: to look a method up in an object takes Wireshark longer than most of them do.
local add, setHidden, setGenerated = TreeItem.add, TreeItem.set_hidden, TreeItem.set_generated
local clear, append, fence = Column.clear, Column.append, Column.fence
local lengthOf, newBytes, tvbOf = Tvb.len, ByteArray.new, ByteArray.tvb

local prefix = declared.prefix
local protocol = Proto(prefix, modules.title)
protocol.fields = fields.list
protocol.experts = fields.expertList
if session.readKeys then
  protocol.prefs.keylog = Pref.string("Key log file", "", "File with the session keys, as moul-dissect keys writes it")
end

protocol.prefs.only = Pref.string(
  "Only these fields", "",
  "Names of the fields that are enough, with commas: the rest is not shown, which saves time with large captures"
)

-- What the column says: a short name, as there is little room. The field `protocol` says which of them it is.
local MOST_IN_COLUMN = 8
local COLUMN = #modules.title <= MOST_IN_COLUMN and modules.title or prefix:upper()

-- Bytes that do not come in one segment.
local MANY = 1400
-- What Wireshark calls "until the connection ends".
local UNTIL_END = 0x0ffffffe
local STATUS = { gap = "truncated", skipped = "truncated", encrypted = "encrypted", malformed = "malformed", unknown = "unknown" }

local FACTS = {
  fields.message, fields.protocol, fields.direction, fields.number, fields.status, fields.summary, fields.answers,
  fields.answeredBy, fields.milliseconds,
}
-- Whether the preference leaves any of them.
local isFactWanted = true

local function noticeFacts(wanted)
  isFactWanted = wanted == nil
  for _, field in ipairs(FACTS) do isFactWanted = isFactWanted or wanted[field] == true end
end

local function addFacts(item, found, direction, wanted)
  local function fact(field, value)
    if value ~= nil and (wanted == nil or wanted[field]) then setGenerated(add(item, field, value)) end
  end
  fact(fields.message, found.name or found.kind)
  fact(fields.protocol, found.protocol)
  fact(fields.direction, direction)
  fact(fields.number, found.number)
  fact(fields.status, found.status or STATUS[found.kind] or "ok")
  if found.summary ~= "" then fact(fields.summary, found.summary) end
  fact(fields.answers, found.answers)
  fact(fields.answeredBy, found.answeredBy)
  fact(fields.milliseconds, found.milliseconds)
end

local namesClasses = {}

-- Whether a polymorphic field says which class it holds: those of a family may have no names.
local function saysClass(entry)
  if entry.o ~= "polymorphic" then return false end
  local family = declared.families[entry.fam]
  if namesClasses[family] == nil then
    local says = not family.closed
    for _, number in pairs(family.classes) do says = says or declared.structs[declared.tables[number].st].n ~= "" end
    namesClasses[family] = says
  end
  return namesClasses[family]
end

-- Leaves out of messages what is not wanted. Summaries and names say what may be anywhere.
local function limitDecoding(wanted)
  if wanted == nil or wanted[fields.summary] or wanted[fields.named] then return modules.skim.limit(nil) end
  modules.skim.limit({
    -- What cannot be dissected may be anywhere.
    isAll = wanted[fields.status] or wanted[fields.undissected],
    entry = function(entry)
      local struct = entry.o == "struct" and declared.tables[entry.t].st
      return wanted[entry.pf or fields.undissected] or (wanted[fields.class] and saysClass(entry))
        or (struct and fields.isKindWanted(struct, wanted)) or false
    end,
    class = function(struct) return fields.isKindWanted(struct, wanted) end,
  })
end

function protocol.init()
  if session.readKeys then
    keys.file = protocol.prefs.keylog or ""
    if keys.file == "" then keys.file = os.getenv(modules.keyLogVariable) or "" end
  end
  local unknown = fields.limit(protocol.prefs.only or "")
  limitDecoding(fields.wanted)
  noticeFacts(fields.wanted)
  if #unknown > 0 and report_failure then
    report_failure(format("%s.only: there is no field named %s", prefix, table.concat(unknown, ", ")))
  end
  streams.reset()
end

local function infoOf(found)
  local text, more = found.name or found.kind, found.summary
  if more == nil or more == "" then more = found.reason end
  return more and text .. " " .. more or text
end

-- The tree of a message: that of its reading, if it is shown right after that.
local function treeOf(found, bytes)
  local tree = found.tree
  if tree then
    found.tree = false
    return tree, true
  end
  reader.decodeAgain(found, found.entry, bytes, found.at, found.at + found.length, found.extent, found.sparse)
  if found.remarks then found.remarks(decoder.tree) end
  return decoder.tree, false
end

-- The fields for messages of a class, by the entries of these: empty for others.
local messageClasses = setmetatable({}, {
  __index = function(known, entry)
    local struct = declared.tables[entry.t or 0]
    known[entry] = struct and fields.kinds[struct.st] or {}
    return known[entry]
  end,
})

local function showMessage(found, record, tvb, range, item, wanted)
  local classes = messageClasses[found.entry]
  for index = 1, #classes do
    if wanted == nil or wanted[classes[index]] then setHidden(add(item, classes[index], range)) end
  end
  if found.isBare then return end
  local tree, isKept = treeOf(found, found.bytes or record.plain)
  if wanted then render.wanted(tree, tvb, found.at, item, found.labels, wanted)
  else render.tree(tree, range:tvb(), item, found.labels) end
  if found.note then
    item:add_proto_expert_info(fields.experts.error, found.note.text)
  end
  if isKept then decoder.release(tree) end
end

-- Whether this Wireshark says what of a tree is of use; one that does not gets all of it.
local saysWhatCounts

-- What of a packet's tree is wanted, by field: nil for everything. Nobody sees a tree of which only filters, columns and
-- statistics take some fields, as in a list of packets.
local function wantedOf(root)
  if fields.wanted then return fields.wanted end
  if saysWhatCounts == nil then
    saysWhatCounts = pcall(function() return root.visible, root:referenced(fields.message) end)
  end
  if not saysWhatCounts or root.visible then return nil end
  return setmetatable({}, {
    __index = function(known, field)
      local is = root:referenced(field)
      known[field] = is
      return is
    end,
  })
end

local REASSEMBLED, DECRYPTED = "Reassembled " .. modules.title, "Decrypted " .. modules.title

-- What the messages of a packet say in the column: the table is used again.
local texts = {}

-- Shows what is in a packet; returns what the column says of it, or nil.
local function show(record, tvb, root)
  local wanted, count = wantedOf(root), #record.items
  local whole = tvb
  if record.skip > 0 then whole = tvb(record.skip):tvb() end
  if record.isOther and #record.plain > 0 then
    whole = tvbOf(newBytes(record.plain, true), record.isJoined and REASSEMBLED or DECRYPTED)
  end
  for index, found in ipairs(record.items) do
    texts[index] = infoOf(found)
    local own = found.bytes and tvbOf(newBytes(found.bytes, true), "Assembled " .. found.name) or whole
    local range = found.length > 0 and own(found.at, found.length) or nil
    local item = range and add(root, protocol, range) or add(root, protocol)
    if wanted == nil then item:set_text(format("%s, %s", found.protocol or prefix, texts[index])) end
    if isFactWanted then addFacts(item, found, record.direction, wanted) end
    if found.kind == "message" then showMessage(found, record, own, range, item, wanted)
    elseif found.kind == "encrypted" then item:add_proto_expert_info(fields.experts.encrypted, found.reason)
    else
      if range and found.entry then
        decoder.decode(found.entry, record.plain, found.at, found.at + found.length, "head")
        if wanted then render.wanted(decoder.tree, own, found.at, item, nil, wanted)
        else render.tree(decoder.tree, range:tvb(), item) end
      elseif range and (wanted == nil or wanted[fields.undissected]) then item:add(fields.undissected, range) end
      item:add_proto_expert_info(fields.experts[found.kind == "malformed" and "error" or "warning"], found.reason)
    end
  end
  if count < 2 then return count == 1 and texts[1] or nil end
  return table.concat(texts, " | ", 1, count)
end

-- Says what Wireshark should put together before it comes back.
local function waitFor(record, pinfo)
  pinfo.desegment_offset = record.skip + record.waitsAt
  local wanted = record.waitsFor
  if wanted == "end" then pinfo.desegment_len = UNTIL_END
  -- Few bytes are not asked for by their number: Wireshark loses track of packets in which several such pieces end.
  else pinfo.desegment_len = wanted >= MANY and wanted or DESEGMENT_ONE_MORE_SEGMENT end
end

local function dissect(tvb, pinfo, root, transport, declaredProtocol)
  local length = lengthOf(tvb)
  if length == 0 then return 0 end
  local packet, number = packets.read(tvb, pinfo, transport)
  if number == nil then return not pinfo.visited and streams.claim(packet, transport, declaredProtocol) and length or 0 end
  local key, isTime = packets.keyOf(transport, number), streams.isTime(pinfo.visited)
  local conversation = streams.get(key)
  local isOpen = conversation ~= nil
  if not isOpen then
    conversation = isTime and streams.open(key, packet, transport, declaredProtocol)
    if not conversation then return 0 end
  end
  local record, isSpare = streams.record(conversation, packet, isTime)
  if isOpen then packets.release(packet) end
  if record == nil then return 0 end
  local columns = pinfo.cols
  columns.protocol = COLUMN
  if record.isRepeated then
    root:add(protocol, tvb()):append_text(", retransmission")
    return length
  end
  if record.waitsAt and streams.canAsk() and pinfo.can_desegment > 0 and not record.isJoined then waitFor(record, pinfo) end
  local info = show(record, tvb, root)
  if isSpare then reader.release(record) end
  if info then
    local column = columns.info
    clear(column)
    append(column, info)
    fence(column)
  end
  return length
end

local UDP = 3

-- Dissects, and says where an error of the plugin itself has kept it from doing so.
local function guarded(tvb, pinfo, root, transport, name)
  local ok, result = pcall(dissect, tvb, pinfo, root, transport, name)
  if ok then return result end
  local item = root:add(protocol, tvb())
  item:set_text(format("%s: the plugin failed (please report this): %s", prefix, tostring(result)))
  item:add_proto_expert_info(fields.experts.error, "the plugin failed")
  return tvb:len()
end

-- For a declared protocol, or for any of them.
local function dissectorOf(name)
  return function(tvb, pinfo, root) return guarded(tvb, pinfo, root, pinfo.port_type == UDP and "udp" or "tcp", name) end
end

protocol.dissector = dissectorOf(nil)

local spoken = {}
for _, name in ipairs(modules.spoken) do
  spoken[name] = Proto(name, modules.title .. " (" .. name .. ")")
  spoken[name].dissector = dissectorOf(name)
end

for _, transport in ipairs(modules.transports) do
  local ports = DissectorTable.get(transport .. ".port")
  for _, port in ipairs(modules.ports[transport] or {}) do ports:add(port, protocol) end
  ports:add_for_decode_as(protocol)
  -- For Decode As: a protocol for each that is spoken, such as those of the types of servers.
  for _, name in ipairs(modules.spoken) do ports:add_for_decode_as(spoken[name]) end
  -- On other ports, a conversation is known by its beginning.
  protocol:register_heuristic(transport, function(tvb, pinfo, root)
    if guarded(tvb, pinfo, root, transport, nil) == 0 then return false end
    pinfo.conversation = protocol
    return true
  end)
end
