-- Whose a conversation is, by its first bytes: see recognise.ts in moul-dissect, whose decisions these are. In the
-- middle of a connection, only messages to or from a usual port are recognised.

local modules = ...
local data, framing, announcements, listServer, numbers =
  modules.data, modules.framing, modules.announcements, modules.listServer, modules.numbers.control
local sub, find, byte = string.sub, string.find, string.byte

local recognise = {}

local SERVER_PORT, BROADCAST_PORT, RECONNECT_PORT, LINK_CLIENT_PORT = 5155, 5154, 5156, 17200
local SERVER_PORTS = { [SERVER_PORT] = true, [BROADCAST_PORT] = true, [RECONNECT_PORT] = true }
local GROUP = "224.0.1.2"
local CLIENT_HELLO, BANNED = "BZFLAG\r\n\r\n", "banned for"
local ENOUGH_DATAGRAMS = 4
-- Evidence in bits that rules out chance, and that one protocol must have over the other.
local ENOUGH, CLEARLY_MORE = 60, 5
local LINK_MARKER, END_MARKER = 0xfeed, 0xffff

local function beginsWith(text, beginning) return sub(text, 1, #beginning) == beginning end

local function isUsualServer(client, server) return SERVER_PORTS[server.port] and not SERVER_PORTS[client.port] end
recognise.isUsualServer = isUsualServer

-- The version in a hello of 1.7: the name of its protocol; nil for another one.
function recognise.versionOf(hello)
  if not beginsWith(hello, "BZFS107") then return nil end
  local named = "bzflag." .. sub(hello, 5)
  return data.versions[named] and named or data.newest
end

local function helloKind(s2c)
  if s2c == "" or not beginsWith("BZFS", sub(s2c, 1, 4)) then return nil end
  if #s2c < 8 then return "more" end
  local version = sub(s2c, 1, 8)
  if find(version, "^BZFS107[%w_]$") then return { is = "hello" } end
  return find(version, "^BZFS%d%d%d[%w_]$") and { is = "modern" } or nil
end

-- The first message of clients on their second connection: the length of its content by its code.
local FIRST = { gw = 2, en = 172, qg = 0, qp = 0, wh = 0 }

local function gameByContent(c2s)
  if #c2s < framing.HEADER or byte(c2s, 1) ~= 0 then return nil end
  local length = framing.headAt(c2s, 0, #c2s)
  return FIRST[sub(c2s, 3, 4)] == length - framing.HEADER and { is = "game", version = data.newest } or nil
end

-- Evidence that bytes are consecutive messages of a table, from the place that gives the most.
local function evidenceIn(messages, s)
  local best = 0
  for start = 0, math.min(framing.LONGEST, #s - framing.HEADER) do
    local at, bits = start, 0
    while #s - at >= framing.HEADER do
      local more, length = framing.evidence(messages, s, at, #s)
      if more == nil then
        bits = 0
        break
      end
      at, bits = at + length, bits + more
    end
    if start == 0 and bits > 0 then return bits end
    best = math.max(best, bits - 10)
  end
  return best
end

local function midstreamKind(client, server, c2s, s2c)
  if not isUsualServer(client, server) then return nil end
  local function evidence(messages) return evidenceIn(messages.c2s, c2s) + evidenceIn(messages.s2c, s2c) end
  local modern, classic = evidence(data.modern.messages), evidence(data.versions[data.newest].messages)
  if math.max(modern, classic) < ENOUGH then return "more" end
  local isModern = server.port == BROADCAST_PORT
  if math.abs(modern - classic) >= CLEARLY_MORE then isModern = modern > classic end
  return isModern and { is = "modern" } or { is = "game", version = data.newest }
end

-- The kind of a connection between these ends: "more" if there are too few bytes, nil if it is another protocol.
local function streamKind(client, server, c2s, s2c)
  if beginsWith(c2s, CLIENT_HELLO) then return { is = "modern" } end
  local greeting = helloKind(s2c)
  if greeting then return greeting end
  local expected = isUsualServer(client, server) or announcements.modernServers[server.name]
  if expected and beginsWith(s2c, BANNED) then return { is = "modern" } end
  if c2s ~= "" and beginsWith(CLIENT_HELLO, c2s) then return "more" end
  local version = announcements.reconnect[server.name]
  if version then
    local messages, toServer = data.versions[version].messages, c2s ~= ""
    local s = toServer and c2s or s2c
    local framed = framing.looksFramed(messages[toServer and "c2s" or "s2c"], s, 0, #s)
    if framed == nil then return "more" end
    if framed then return { is = "game", version = version } end
  end
  local list = listServer.kind(c2s, s2c, announcements.listServers[server.name])
  if list == "list" then return { is = "list" } end
  if list == "more" then return "more" end
  return gameByContent(c2s) or midstreamKind(client, server, c2s, s2c)
end

local function isLinkDatagram(s)
  local u16, at, limit = numbers.u16be, 4, #s
  if limit < 6 or u16(s, 0) ~= LINK_MARKER then return false end
  while at + 2 < limit do
    local body = at + 4
    if body > limit then return false end
    local length = u16(s, at)
    if length < 4 or body + 4 > limit or u16(s, body) + 4 ~= length then return false end
    at = body + length
    if at + 2 == limit and u16(s, at) == END_MARKER then return true end
  end
  return at + 2 == limit and u16(s, at) == END_MARKER
end

local function serverIs(first, second)
  if announcements.linkServers[first.name] or announcements.linkServers[second.name] then
    return announcements.linkServers[first.name] == true
  end
  if second.port == SERVER_PORT then return false end
  return first.port == SERVER_PORT or (first.port < LINK_CLIENT_PORT and second.port >= LINK_CLIENT_PORT)
end

local PING_REPLIES = { [0x0303] = true, [0x0101] = true }

local function isWholePingReply(s)
  local least = data.pingReply.least
  local length = framing.headAt(s, 0, #s)
  return (length == least or length == least + framing.HEADER) and #s == least
    and find(sub(s, 5, 12), "^BZFS%d%d%d[%w_]$") ~= nil
end

local function isPlainDatagram(s, to)
  local length, code = framing.headAt(s, 0, #s)
  if length == nil then return false end
  local declared = framing.declared(data.pings, length, code) or framing.declared(data.multicast, length, code)
  if declared == nil then return false end
  if code == 0x0303 then return isWholePingReply(s) end
  if length ~= #s then return false end
  if data.isFixed[code] then return #s == declared.least end
  return to.port == BROADCAST_PORT or to.address == GROUP
end

-- The kind of the conversation of a datagram in a direction between these ends.
local function datagramKind(client, server, direction, s)
  local known = announcements.modern[announcements.between(client, server)]
  if known ~= nil then return known and { is = "modern" } or nil end
  if isLinkDatagram(s) then return not serverIs(client, server) and { is = "udp" } or nil end
  local length, code = framing.headAt(s, 0, #s)
  if length == nil then return nil end
  if code == 0x6f66 and length == 5 and direction == "c2s" and #s == 5 then return { is = "modern" } end
  if framing.declared(data.pings, length, code) and (PING_REPLIES[code] or false) ~= (direction == "s2c") then return nil end
  if isPlainDatagram(s, server) then return { is = "udp" } end
  if not framing.isDatagram(data.modern.overUdp[direction], s) then return nil end
  if isUsualServer(client, server) or announcements.modernServers[server.name] then return { is = "modern" } end
  local other = direction == "c2s" and "s2c" or "c2s"
  local isOneWay = not framing.isDatagram(data.modern.overUdp[other], s)
  local seen = announcements.possibleDatagram(client, server, isOneWay)
  return seen.count >= ENOUGH_DATAGRAMS and seen.isOneWay and { is = "modern" } or "more"
end

-- The kind of a conversation, and which end of the packet is its client.
function recognise.kind(opening)
  local from, to = opening.from, opening.to
  local first, second
  if opening.transport == "udp" then
    -- The end that is said to be the client is asked for first: where nothing shows it, it is the one that spoke.
    first, second = datagramKind(from, to, "c2s", opening.bytes), nil
    if type(first) ~= "table" then second = datagramKind(to, from, "s2c", opening.bytes) end
  else
    first = streamKind(from, to, opening.bytes, opening.answer)
    if type(first) ~= "table" then second = streamKind(to, from, opening.answer, opening.bytes) end
  end
  if type(first) == "table" then return first, "from" end
  if type(second) == "table" then return second, "to" end
  return (first == "more" or second == "more") and "more" or "no"
end

return recognise
