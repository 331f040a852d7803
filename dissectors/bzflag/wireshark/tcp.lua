-- Conversations over TCP, and those of the modern protocol over UDP as well.

local modules = ...
local data, entry, framing, announcements, numbers, names =
  modules.data, modules.entry, modules.framing, modules.announcements, modules.numbers.control, modules.names
local sub, format = string.sub, string.format

local tcp = {}

-- The world, assembled from the chunks in which it is downloaded. Source: facts, section 6.
local LONGEST_WORLD = 16777216

local function numberOf(tree, name)
  local node = tree:child(1, name)
  local read = node and numbers[tree.entry[node].o]
  return read and read(tree.sources[1].bytes, tree.sources[1].origin + tree.start[node])
end
tcp.numberOf = numberOf

local function worldDownload(world, beginsWith)
  local chunks, received, length = {}, 0, 0
  local function reset() chunks, received, length = {}, 0, 0 end
  -- Adds a chunk; returns the world that it completes.
  return function(tree)
    local node = tree:child(1, "data")
    local chunk = node and tree:bytes(node) or ""
    if chunk == "" then return nil end
    local remaining = numberOf(tree, "remaining") or 0
    local left = remaining == 0 and #chunk or remaining
    if received == 0 or left ~= length - received then
      reset()
      if sub(chunk, 1, #beginsWith) ~= beginsWith or left > LONGEST_WORLD then return nil end
      length = left
    end
    chunks[#chunks + 1] = chunk
    received = received + #chunk
    if received < length then return nil end
    local whole = received == length and { entry = entry(world), bytes = table.concat(chunks) } or nil
    reset()
    return whole
  end
end

-- The exchange of a lag ping, which a server may send over UDP although the answer comes over TCP.
function tcp.lagPing(connection, direction, tree)
  return { key = "lag " .. connection, everywhere = true, once = true, isRequest = direction == "s2c", tag = numberOf(tree, "seqno") }
end

local function exchangeOf(exchanges, direction, step)
  local number = step.code and exchanges[direction][step.code]
  return number and { key = "exchange " .. number, once = true, isRequest = direction == "c2s" } or nil
end

local function unexpected(reason)
  return { step = "unknown", name = "UnexpectedData", entry = entry(data.unexpected), reason = reason }
end

-- The first connection: the server says hello and announces the port on which the client is to reconnect.
local hello = {}
hello.__index = hello

function tcp.hello(stream)
  return setmetatable({ stream = stream, protocol = data.newest, versionOf = modules.recognise.versionOf }, hello)
end

function hello:next(direction, s, at, limit)
  if direction == "c2s" or self.greeted then
    return unexpected("nothing but the server's hello belongs on this connection")
  end
  if limit - at < 8 then return { step = "more", bytes = 8 } end
  local said = sub(s, at + 1, at + 8)
  local version = self.versionOf(said)
  if version == nil then
    return { step = "unknown", name = "Hello", reason = said .. " is a version whose messages are not declared" }
  end
  self.protocol = version
  return { step = "message", entry = entry(data.hello), length = 10 }
end

function hello:decoded(_, tree)
  self.greeted = true
  local port = numberOf(tree, "reconnectPort")
  if port and port > 0 then
    announcements.reconnect[format("%s:%d", self.stream.server.address, port)] = self.protocol
  end
end

-- The second connection: framed messages from the first byte on.
local game = {}
game.__index = game

function tcp.game(stream, version)
  local own = data.versions[version]
  local connection = announcements.between(stream.client, stream.server)
  local self = setmetatable({
    stream = stream, protocol = version, version = own, connection = connection, unsure = {},
    world = worldDownload(data.worlds.classic, "st"),
  }, game)
  if own.assignsIds then
    announcements.players[stream.client.name] = version
    self.scope = connection
  end
  return self
end

-- Where the capture begins inside a message, the next one is searched for.
local function firstStep(self, messages, direction, s, at, limit)
  if self.unsure[direction] ~= nil then return nil end
  self.unsure[direction] = false
  if framing.looksFramed(messages, s, at, limit) == false then return { step = "search" } end
end

function game:next(direction, s, at, limit)
  local messages = self.version.messages[direction]
  return firstStep(self, messages, direction, s, at, limit) or framing.step(messages, s, at, limit, self.protocol)
end

function game:candidate(direction, s, at, limit)
  return framing.candidate(self.version.messages[direction], s, at, limit)
end

function game:lost(direction) self.unsure[direction] = false end

function game:link(direction, port)
  local client, server = self.stream.client, self.stream.server
  if direction == "c2s" then
    announcements.linkClients[format("%s:%d", client.address, port)] = { version = self.protocol, scope = self.scope }
  else announcements.linkServers[format("%s:%d", server.address, port)] = true end
end

function game:decoded(direction, tree, step)
  local name = step.entry.n
  if name == "MsgLagPing" then return tcp.lagPing(self.connection, direction, tree) end
  if name == "MsgUDPLinkRequest" then self:link(direction, numberOf(tree, "port") or 0)
  elseif name == "MsgGetWorld" and direction == "s2c" then self.complete = self.world(tree) end
  return exchangeOf(self.version.exchanges, direction, step)
end

function game:assembled()
  local complete = self.complete
  self.complete = nil
  return complete
end

-- The modern protocol: the two sides greet each other first; a datagram holds one message or several.
local modern = {}
modern.__index = modern

local CLIENT_HELLO, FAREWELL, SERVER_VERSION = "BZFLAG\r\n\r\n", "BZFS0221\r\n\r\n", "BZFS0221"
local GREETINGS = {
  c2s = { { text = CLIENT_HELLO, entry = "client" } },
  s2c = { { text = SERVER_VERSION, entry = "server" }, { text = "REFUSED:", entry = "refusal" }, { text = "banned for", entry = "ban" } },
}

function tcp.modern(stream)
  local greeted = stream.transport == "udp"
  local scope = stream.server.name
  local self = setmetatable({
    stream = stream, protocol = data.modern.protocol, scope = scope, unsure = {},
    connection = announcements.between(stream.client, stream.server),
    greeted = { c2s = greeted, s2c = greeted }, world = worldDownload(data.worlds.modern, "\0\10he"),
  }, modern)
  announcements.modern[self.connection] = true
  announcements.modernServers[stream.server.name] = true
  for id, name in pairs(data.modern.special) do names.set(scope, "player", format("%d", id), name) end
  return self
end

function modern:greeting(direction, s, at, limit)
  local head = sub(s, at + 1, math.min(limit, at + 10))
  for _, greeting in ipairs(GREETINGS[direction]) do
    local text = greeting.text
    if sub(head, 1, #text) == sub(text, 1, #head) then
      if #head < #text then return { step = "more", bytes = #text } end
      if greeting.entry == "server" and #head > 9 and sub(FAREWELL, 1, #head) == head then
        return { step = "message", entry = entry(data.greetings.farewell) }
      end
      if greeting.entry ~= "refusal" and greeting.entry ~= "ban" then
        return { step = "message", entry = entry(data.greetings[greeting.entry]) }
      end
      -- Everything up to the end is the reason.
      if self.stream.ended(direction) then
        return { step = "message", entry = entry(data.greetings[greeting.entry]), length = limit - at }
      end
      return { step = "more", bytes = limit - at + 1, untilEnd = true }
    end
  end
  local version = head:match("^BZFS%d%d%d[%w_]")
  if direction == "s2c" and version then
    self.undeclared = version
    announcements.modern[self.connection], announcements.modernServers[self.stream.server.name] = false, false
    return { step = "unknown", name = "ServerHello", reason = version .. " is a version whose messages are not declared" }
  end
end

function modern:next(direction, s, at, limit)
  if self.undeclared then
    return { step = "unknown", name = "UndeclaredMessages", reason = self.undeclared .. " is a version whose messages are not declared" }
  end
  local messages = data.modern.messages[direction]
  local greeting = not self.greeted[direction] and self:greeting(direction, s, at, limit) or nil
  if greeting then
    self.unsure[direction] = false
    return greeting
  end
  return firstStep(self, messages, direction, s, at, limit) or framing.step(messages, s, at, limit, self.protocol)
end

modern.candidate = function(self, direction, s, at, limit)
  return self.undeclared == nil and framing.candidate(data.modern.messages[direction], s, at, limit)
end
modern.lost, modern.assembled = game.lost, game.assembled

function modern:decoded(direction, tree, step)
  self.greeted[direction] = true
  local name = step.entry.n
  if name == "MsgLagPing" then return tcp.lagPing(self.connection, direction, tree) end
  if name == "MsgGetWorld" and direction == "s2c" then self.complete = self.world(tree)
  elseif name == "ServerHello" then
    local player = numberOf(tree, "player")
    self.player = player ~= 255 and player or nil
    if self.player then names.forget(self.scope, "player", format("%d", player)) end
  elseif name == "MsgEnter" and self.player then
    local node = tree:child(1, "callsign")
    if node then names.set(self.scope, "player", format("%d", self.player), modules.text.fixed(tree:bytes(node), "utf8")) end
  end
  return exchangeOf(data.modern.exchanges, direction, step)
end

return tcp
