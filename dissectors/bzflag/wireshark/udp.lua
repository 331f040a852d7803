-- Datagrams: those of a UDP link, and those that are multicast or broadcast, which hold one message each. Source: facts,
-- section 2 (UDP link, plain UDP message) and section 8 (pings).

local modules = ...
local data, entry, framing, announcements, declared, tcp =
  modules.data, modules.entry, modules.framing, modules.announcements, modules.declared, modules.tcp
local numbers, sub, find, byte, format = modules.numbers.control, string.sub, string.find, string.byte, string.format
local u16 = numbers.u16be

local udp = {}
udp.__index = udp

local LINK_MARKER, END_MARKER = 0xfeed, 0xffff
local PING = "bzflag.ping"

local forms = {}

-- A message as it is in a datagram, with the parts of the envelope before and after it.
local function inLink(message, isFirst, isLast)
  local key = format("%s %s %s", message.n, tostring(isFirst), tostring(isLast))
  local form = forms[message.t .. " " .. key]
  if form == nil then
    local first = declared.tables[isFirst and data.link.first or data.link.next].e
    local own = declared.tables[message.t]
    local members = { first[1] }
    for _, member in ipairs(own.e) do members[#members + 1] = member end
    if isLast then members[#members + 1] = first[#first] end
    local number = #declared.tables + 1
    declared.tables[number] = { st = own.st, e = members, binds = own.binds }
    form = { o = "struct", n = message.n, w = 0, t = number }
    forms[message.t .. " " .. key] = form
  end
  return form
end

function udp.new(stream, version)
  local owner = announcements.linkClients[stream.client.name]
  return setmetatable({
    stream = stream, phase = {}, version = version or owner and owner.version,
    scope = owner and owner.scope, protocol = version or owner and owner.version or data.newest,
  }, udp)
end

function udp:datagram(direction) self.phase[direction] = "begin" end

-- The version of the player whose id comes first in a multicast.
local function versionOfPlayer(s)
  if #s < framing.HEADER + 6 then return nil end
  local a, b, c, d, high, low = byte(s, 5, 10)
  return announcements.versionOfPlayer(format("%d.%d.%d.%d:%d", a, b, c, d, 256 * high + low))
end

local function brokenLength(tree)
  local frame = tree:child(1, "udpFrame")
  local node = frame and tree:child(frame, "packetLen") or 1
  tree:note("malformed", "error", node, "is not the length of the message in the packet")
end

function udp:linkStep(direction, s, at, limit, isFirst)
  if isFirst and limit - at <= 6 then return { step = "message", entry = entry(data.link.datagram), length = 6 } end
  local head = at + (isFirst and 4 or 0)
  if head + 4 > limit then return { step = "message", entry = entry(data.link.finish), length = 2 } end
  local length, body = u16(s, head), head + 4
  local stop = body + length
  local isLast = stop + 2 == limit and u16(s, stop) == END_MARKER
  local whole = (isLast and stop + 2 or stop) - at
  local messages = data.versions[self.version].messages[direction]
  if length >= 4 and body + 4 <= limit and u16(s, body) + 4 == length then
    local code = u16(s, body + 2)
    local found = framing.declared(messages, length, code)
    local message = found and entry(found.type) or framing.undeclared(code)
    return {
      step = "message", entry = inLink(message, isFirst, isLast), length = whole,
      remarks = not found and framing.remarkUndeclared(code, self.protocol) or nil,
    }
  end
  local broken = "broken" .. (isFirst and "First" or "Next") .. (isLast and "Last" or "")
  return { step = "message", entry = entry(data.link[broken]), length = whole, remarks = brokenLength }
end

-- The step for a ping; nil if the datagram is not one.
local function pingStep(s, at, limit)
  local length, code = framing.headAt(s, at, limit)
  local found = length and framing.declared(data.pings, length, code)
  if not found then return nil end
  if code ~= 0x0303 then return framing.step(data.pings, s, at, limit, PING) end
  local version, whole = sub(s, at + 5, math.min(at + 12, limit)), data.pingReply.least
  if length == framing.HEADER + whole then length = whole end
  if #version == 8 and not find(version, "^BZFS%d%d%d[%w_]$") then return nil end
  if version == "BZFS0221" then return { step = "message", entry = entry(data.modernPingReply), length = length } end
  if not find(version, "^BZFS%d%d%d[%w_]$") or sub(version, 1, 7) == "BZFS107" then
    return { step = "message", entry = entry(found.type), length = length }
  end
  return { step = "unknown", name = "PingCodeReply", length = length, reason = version .. " is a version whose messages are not declared" }
end

function udp:next(direction, s, at, limit)
  local isFirst = self.phase[direction] == "begin"
  if isFirst then self.phase[direction] = limit - at >= 2 and u16(s, at) == LINK_MARKER and "link" or "plain" end
  if self.version == nil then self.version = versionOfPlayer(s) or data.newest end
  self.protocol = self.version
  if self.phase[direction] == "link" then return self:linkStep(direction, s, at, limit, isFirst) end
  local ping = pingStep(s, at, limit)
  if ping then
    self.protocol = PING
    return ping
  end
  local length, code = framing.headAt(s, at, limit)
  local isMulticast = length ~= nil and framing.declared(data.multicast, length, code) ~= nil
  local messages = isMulticast and data.multicast or data.versions[self.version].messages.c2s
  return framing.step(messages, s, at, limit, self.protocol)
end

function udp:decoded(direction, tree, step)
  if step.entry.n == "MsgLagPing" and self.scope then return tcp.lagPing(self.scope, direction, tree) end
end

return udp
