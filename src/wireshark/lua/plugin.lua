-- What Wireshark calls.

local modules = ...
local declared, fields, streams, render, decoder, data =
  modules.declared, modules.fields, modules.streams, modules.render, modules.decoder, modules.data
local session, format = modules.session, string.format

local prefix = declared.prefix
local protocol = Proto(prefix, modules.title)
protocol.fields = fields.list
protocol.experts = fields.expertList
protocol.prefs.keylog = Pref.string("Key log file", "", "File with the session keys, as moul-dissect keys writes it")

local WORD = 4294967296
-- Bytes that do not come in one segment.
local MANY = 1400
local tcpStream, tcpSequence, tcpLength = Field.new("tcp.stream"), Field.new("tcp.seq_raw"), Field.new("tcp.len")

local function last(...)
  local all = { ... }
  return all[#all] and all[#all].value
end

function protocol.init()
  streams.keyFile = protocol.prefs.keylog or ""
  if streams.keyFile == "" then streams.keyFile = os.getenv(modules.keyLogVariable) or "" end
  streams.reset()
end

local servers = {}
for _, port in ipairs(modules.ports) do servers[port] = true end

local NOT_MESSAGES = { gap = true, skipped = true, encrypted = true }

local function addFacts(item, found, direction)
  local name = found.name or found.kind
  item:add(fields.message, name):set_generated()
  if found.protocol then item:add(fields.protocol, found.protocol):set_generated() end
  item:add(fields.direction, direction):set_generated()
  item:add(fields.number, found.number):set_generated()
  item:add(fields.status, found.status or (NOT_MESSAGES[found.kind] and found.kind == "encrypted" and "encrypted") or (found.kind == "malformed" and "malformed") or (found.kind == "unknown" and "unknown") or "ok"):set_generated()
  if found.summary and found.summary ~= "" then item:add(fields.summary, found.summary):set_generated() end
  if found.answers then item:add(fields.answers, found.answers):set_generated() end
  if found.answeredBy then item:add(fields.answeredBy, found.answeredBy):set_generated() end
  if found.milliseconds then item:add(fields.milliseconds, found.milliseconds):set_generated() end
end

local function infoOf(found)
  local name = found.name or found.kind
  local text = name
  if found.summary and found.summary ~= "" then text = text .. " " .. found.summary
  elseif found.reason then text = text .. " " .. found.reason end
  if found.answersNumber then text = format("%s (#%d, %.3g ms)", text, found.answersNumber, found.milliseconds) end
  return text
end

local function show(record, tvb, pinfo, root)
  local info = {}
  local whole = tvb
  if record.skip > 0 then whole = tvb(record.skip):tvb() end
  if record.isDecrypted and #record.plain > 0 then
    whole = ByteArray.new(record.plain, true):tvb("Decrypted " .. modules.title)
  end
  local visible = root.visible ~= false or modules.always
  for _, found in ipairs(record.items) do
    info[#info + 1] = infoOf(found)
    local range = found.length > 0 and whole(found.at, found.length) or nil
    local item = range and root:add(protocol, range) or root:add(protocol)
    item:set_text(format("%s, %s", found.protocol or prefix, infoOf(found)))
    addFacts(item, found, record.direction)
    if found.kind == "message" then
      decoder.decode(found.entry, record.plain, found.at, found.at + found.length, found.extent == "exact" and "exact" or "exact")
      local class = fields.classes[declared.tables[found.entry.t].st]
      if class then item:add(class, range):set_hidden() end
      render.tree(decoder.tree, range:tvb(), item)
    elseif found.kind == "encrypted" then
      item:add_proto_expert_info(fields.experts.encrypted, found.reason)
    elseif found.kind ~= "message" then
      if range then item:add(fields.undissected, range) end
      item:add_proto_expert_info(fields.experts[found.kind == "malformed" and "error" or "warning"], found.reason)
    end
  end
  return info
end

local function dissect(tvb, pinfo, root, declaredServer)
  local number, sequence, length = last(tcpStream()), last(tcpSequence()), last(tcpLength())
  if number == nil or tvb:len() == 0 then return 0 end
  local from, to = tostring(pinfo.src) .. ":" .. pinfo.src_port, tostring(pinfo.dst) .. ":" .. pinfo.dst_port
  local raw = tvb:raw()
  local conversation = streams.get(number)
  if conversation == nil then
    local isServer = (servers[pinfo.src_port] and "from") or (servers[pinfo.dst_port] and "to") or nil
    conversation = streams.open(number, from, to, raw, isServer, declaredServer)
    if conversation == nil then return 0 end
  end
  local direction = conversation.client == from and "c2s" or "s2c"
  -- Bytes that Wireshark has put together begin where they were waited for; others end with their segment.
  local isTogether = tvb:offset() == 0
  local start = (isTogether and streams.nextOf(conversation, direction)) or (sequence + length - tvb:len()) % WORD
  local record = streams.record(conversation, direction, raw, start, pinfo)
  if record == nil then return 0 end
  pinfo.cols.protocol = conversation.session.protocol
  if record.isRepeated then
    root:add(protocol, tvb()):append_text(", retransmission")
    return tvb:len()
  end
  if record.desegment then
    pinfo.desegment_offset = record.skip + record.desegment[1]
    -- Few bytes are not asked for by their number: Wireshark loses track of packets in which several such pieces end.
    local wanted = record.desegment[2]
    pinfo.desegment_len = wanted >= MANY and wanted or DESEGMENT_ONE_MORE_SEGMENT
  end
  local info = show(record, tvb, pinfo, root)
  if #info > 0 then
    pinfo.cols.info:clear()
    pinfo.cols.info:append(table.concat(info, " | "))
    pinfo.cols.info:fence()
  end
  return tvb:len()
end

function protocol.dissector(tvb, pinfo, root) return dissect(tvb, pinfo, root, nil) end

local tcpPorts = DissectorTable.get("tcp.port")
for _, port in ipairs(modules.ports) do tcpPorts:add(port, protocol) end

-- On other ports, a connection is known by its beginning.
protocol:register_heuristic("tcp", function(tvb, pinfo, root)
  local number = last(tcpStream())
  if number == nil then return false end
  if streams.get(number) == nil and session.begins(tvb:raw()) == "no" then return false end
  if dissect(tvb, pinfo, root, nil) == 0 then return false end
  pinfo.conversation = protocol
  return true
end)

-- For Decode As: a protocol for each type of server.
for _, server in ipairs(data.servers or {}) do
  local own = Proto(server.protocol, modules.title .. " (" .. server.protocol .. ")")
  function own.dissector(tvb, pinfo, root) return dissect(tvb, pinfo, root, server) end
  tcpPorts:add_for_decode_as(own)
end
