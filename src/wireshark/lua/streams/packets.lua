-- What Wireshark knows of a packet: where its bytes belong, and to which conversation.

local modules = ...
local session = modules.session

local packets = {}

local WORD = 4294967296
-- Called as functions: see the plugin.
local rawOf, lengthOf, offsetOf, reportedOf = Tvb.raw, Tvb.len, Tvb.offset, Tvb.reported_len
local tcpStream, tcpSequence, tcpLength = Field.new("tcp.stream"), Field.new("tcp.seq_raw"), Field.new("tcp.len")
local tcpFin, udpStream, udpLength = Field.new("tcp.flags.fin"), Field.new("udp.stream"), Field.new("udp.length")

-- The value of the innermost of such fields, where packets are within packets.
local function last(first, second, ...)
  if second ~= nil then return last(second, ...) end
  return first and first.value
end

local function endOf(address, port)
  local written = tostring(address)
  return { name = written .. ":" .. port, address = written, port = port }
end

local Packet = {
  -- The two ends take time to write, and most packets do without.
  __index = function(packet, name)
    if name ~= "from" and name ~= "to" then return nil end
    local pinfo = packet.pinfo
    packet.from, packet.to = endOf(pinfo.src, pinfo.src_port), endOf(pinfo.dst, pinfo.dst_port)
    return rawget(packet, name)
  end,
}

local function newPacket()
  return setmetatable({ raw = "", fromPort = 0, number = 0, time = 0, start = 0, finish = 0, isTogether = false, pinfo = false }, Packet)
end

local spare

-- Takes back a packet that nobody has any more, to be used again: making tables takes time.
function packets.release(packet)
  packet.from, packet.to, packet.isCut, packet.isLast, spare = nil, nil, nil, nil, packet
end

-- The packet as it is read, and the number of its conversation, if that is known.
function packets.read(tvb, pinfo, transport)
  local packet = spare or newPacket()
  spare = nil
  packet.raw, packet.fromPort, packet.number, packet.time = rawOf(tvb), pinfo.src_port, pinfo.number, pinfo.rel_ts
  packet.pinfo = pinfo
  if transport == "udp" then
    local length = last(udpLength())
    packet.isCut = length ~= nil and length - 8 > lengthOf(tvb)
    return packet, last(udpStream())
  end
  local number, sequence, length = last(tcpStream()), last(tcpSequence()), last(tcpLength())
  if number == nil or sequence == nil or length == nil then return packet end
  -- Bytes that Wireshark has put together begin where they were waited for; others end with their segment.
  packet.isTogether = offsetOf(tvb) == 0
  packet.finish = (sequence + length) % WORD
  packet.start = (packet.finish - reportedOf(tvb)) % WORD
  if session.looksForEnds then packet.isLast = last(tcpFin()) == true end
  return packet, number
end

-- The names of conversations, by transport and number: it takes time to write numbers.
local conversationKeys = { tcp = {}, udp = {} }

function packets.keyOf(transport, number)
  local known = conversationKeys[transport]
  local key = known[number]
  if key == nil then
    key = transport .. number
    known[number] = key
  end
  return key
end

return packets
