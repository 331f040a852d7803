-- What comes next in a connection of MOUL: the connect packet, the key exchange, then the messages of its server.
-- Source: specification "The MOUL network protocol".

local modules = ...
local decoder, numbers, Rc4, data, entry = modules.decoder, modules.numbers, modules.rc4, modules.data, modules.entry
local names, labels, values = modules.names, modules.labels, modules.values
local u16, u32, byte, format = numbers.control.u16le, numbers.control.u32le, string.byte, string.format

local session = {}
session.__index = session

local HEADER = 31
local TRIAL = 8192
local WAIT = { step = "wait" }
local INCOMPLETE = "encrypted, and the key exchange is incomplete"
-- Messages that are tried after a possible beginning, and those in a row that are no chance.
local TRIED, TELLING = 4, 2

-- "yes" for the beginning of a connect packet, "more" if it may be one.
local function begins(s)
  local connection = data.connections[byte(s, 1) or -1]
  if connection == nil then return "no" end
  if #s >= 3 and u16(s, 1) ~= HEADER then return "no" end
  if #s < HEADER + 4 then return "more" end
  return u32(s, HEADER) == connection.data and "yes" or "no"
end

-- A connection whose beginning was captured.
local function begun(stream)
  return setmetatable({ stream = stream, phase = { c2s = "connect", s2c = "setup" }, adrift = {}, protocol = "moul" }, session)
end

-- A connection to a known server without its beginning, in the clear.
local function midstream(stream, server)
  local self = begun(stream)
  self.phase = { c2s = "messages", s2c = "messages" }
  self.server, self.protocol, self.method = server, server.protocol, "clear"
  return self
end

-- The head of a message: its number, entry, and length if it says it.
local function headOf(server, direction, s, at, limit)
  if server.framed then
    if at + 8 > limit then return nil, 8 end
    local number = u32(s, at + 4)
    return number, nil, server[direction][number], u32(s, at)
  end
  if at + 2 > limit then return nil, 2 end
  local number = u16(s, at)
  return number, nil, server[direction][number]
end

-- True if bytes make sense as the beginning of messages.
local function sensible(server, direction, s, at, limit)
  local number, _, table, length = headOf(server, direction, s, at, limit)
  if number == nil or table == nil then return false end
  if length then return length >= 8 and length < 2097152 end
  local taken, needed = decoder.decode(entry(table), s, at, limit, "open")
  if taken == nil then return needed < 2097152 end
  return decoder.tree.outcome ~= "malformed"
end

-- True for the head of a ping that could as well be zeros before a message, or begin some bytes too early.
local function isEarlyPing(server, number, s, at)
  return number == 0 and (byte(s, at + (server.framed and 9 or 3)) or 0) == 0
end

-- How many messages in a row make sense from a place on, the last of which may go on after these bytes, and whether they
-- end where these do; nil for nonsense.
local function messagesIn(server, direction, s, at, limit)
  local messages = 0
  while at < limit and messages < TRIED do
    local number, _, table, length = headOf(server, direction, s, at, limit)
    if number == nil then return messages end
    if not sensible(server, direction, s, at, limit) or isEarlyPing(server, number, s, at) then return nil end
    if length and at + length > limit then return messages end
    local taken = decoder.decode(entry(table), s, at, length and at + length or limit, length and "exact" or "open")
    if taken == nil or taken < 1 then return messages end
    at, messages = at + taken, messages + 1
  end
  return messages, at == limit
end

-- The server whose messages these bytes are, in the clear; nil if they make as much sense for another one.
local function spoken(direction, s)
  local most, best = 0, nil
  for _, server in ipairs(data.servers) do
    local messages, isExact
    if #s >= 12 or not server.framed then messages, isExact = messagesIn(server, direction, s, 0, #s) end
    local sense = (messages or 0) + (isExact and TRIED or 0)
    if sense > most then most, best = sense, server
    elseif sense == most then best = nil end
  end
  return best
end

local isServer, servers = {}, {}
for _, port in ipairs(modules.ports.tcp) do isServer[port] = true end
for _, server in ipairs(data.servers) do servers[server.protocol] = server end

-- Says whose a conversation is: "no", or which end is the client and what makes its session.
function session.open(opening)
  if opening.transport ~= "tcp" then return "no" end
  if begins(opening.bytes) ~= "no" then return { client = "from", new = begun } end
  local declared, fromServer = servers[opening.declared], isServer[opening.from.port]
  if not declared and not fromServer and not isServer[opening.to.port] then return "no" end
  local server = declared or spoken(fromServer and "s2c" or "c2s", opening.bytes)
  if server == nil then return "no" end
  return {
    client = fromServer and "to" or "from",
    new = function(stream) return midstream(stream, server) end,
  }
end

function session:settle(direction, s, at, limit)
  if self.server.framed or self.y == "" or self.seed == "" then
    self.method = "clear"
    return
  end
  if limit - at < 2 then return { step = "more", bytes = 2 } end
  local key = self.y and self.stream.keyOf(self.y)
  local sample = s:sub(at + 1, math.min(limit, at + TRIAL))
  if key then
    local plain = Rc4.new(key):apply(sample)
    if sensible(self.server, direction, plain, 0, #plain) then
      self.method = "decrypted"
      self.stream.decrypt("c2s", Rc4.new(key))
      self.stream.decrypt("s2c", Rc4.new(key))
      return { step = "again" }
    end
  end
  if sensible(self.server, direction, sample, 0, #sample) then
    self.method = "clear"
    return
  end
  self.isKeyWrong = key ~= nil
  self.reason = key and "encrypted, and the key for it is wrong" or self.y == nil and INCOMPLETE
    or "encrypted, and there is no key for it: see the preference \"Key log file\""
  return { step = "encrypted", reason = self.reason }
end

-- Decrypts from here on, if the key has become known: in a live capture, the log may come after the first messages.
function session:late()
  local key = not self.isKeyWrong and self.y and self.stream.keyOf(self.y)
  if not key then return { step = "encrypted", reason = self.reason } end
  self.reason, self.method, self.unsure = nil, "decrypted", { c2s = true, s2c = true }
  for way in pairs(self.unsure) do
    local cipher = Rc4.new(key)
    cipher:advance(self.stream.passed(way))
    self.stream.decrypt(way, cipher)
  end
  return { step = "again" }
end

-- Notes that bytes of a direction are missing: if they are of the key exchange, it is not known what follows them.
function session:lost(direction)
  if self.phase[direction] == "setup" then self.phase[direction], self.adrift[direction] = "messages", true end
end

-- What comes after lost bytes of the key exchange: without a place in the cipher, only what is in the clear can be read.
function session:afterLoss(direction, s, at, limit)
  if self.method == nil then
    local isClear = self.server.framed or self.y == "" or self.seed == ""
      or (messagesIn(self.server, direction, s, at, limit) or 0) >= TELLING
    if isClear then self.method = "clear" end
  end
  if self.method ~= "clear" then return { step = "encrypted", reason = INCOMPLETE } end
  self.adrift[direction] = nil
  return { step = "search" }
end

-- The steps to messages by their tables, which are used again: whoever is given one does without it before the next.
local steps = {}

local function stepTo(table, length)
  local step = steps[table]
  if step == nil then
    step = { step = "message", entry = entry(table), length = length, extent = "", sparse = false }
    steps[table] = step
  end
  step.length = length
  return step
end

function session:next(direction, s, at, limit)
  local phase = self.phase[direction]
  if phase == "connect" then
    local connection = data.connections[byte(s, at + 1) or -1]
    if connection == nil then return { step = "unknown", name = "Cli2Srv_Connect", reason = "this is not a connect packet" } end
    return { step = "message", entry = entry(connection.connect), length = connection.bytes }
  end
  if self.server == nil then return WAIT end
  if phase == "setup" then
    if at + 2 > limit then return { step = "more", bytes = 2 } end
    local kind, length = byte(s, at + 1, at + 2)
    local packet = data.setup[direction][kind]
    if direction == "s2c" and length == 0 and self.server.s2c[kind] then
      return { step = "message", entry = entry(self.server.s2c[kind]) }
    end
    if packet == nil or length < 2 then
      self:lost(direction)
      return { step = "unknown", name = direction == "c2s" and "Cli2Srv_Setup" or "Srv2Cli_Setup",
        reason = format("%d is not a type of set-up packet", kind) }
    end
    return { step = "message", entry = entry(packet), length = length }
  end
  if self.adrift[direction] then return self:afterLoss(direction, s, at, limit) end
  if self.reason then return self:late() end
  if self.unsure and self.unsure[direction] then
    self.unsure[direction] = false
    return { step = "search" }
  end
  if self.method == nil then
    local step = self:settle(direction, s, at, limit)
    if step then return step end
  end
  local number, more, table, length = headOf(self.server, direction, s, at, limit)
  if number == nil then return { step = "more", bytes = more } end
  if table then
    if length and length < 8 then
      return { step = "malformed", name = format("%s_%d", self.server.names[direction], number),
        reason = format("the byte count of %d does not even cover the header of 8 bytes", length) }
    end
    return stepTo(table, length)
  end
  local known = self.server.undeclared[direction][number]
  return { step = "unknown", length = length, name = known and known.name or format("%s_%d", self.server.names[direction], number),
    reason = known and known.reason or format("%d is not a known message type of %s", number, self.protocol) }
end

-- The message that could begin at a place, after a loss.
function session:candidate(direction, s, at, limit)
  if self.server == nil then return false end
  -- What cannot be read is encrypted wherever it begins.
  if self.adrift[direction] or self.reason then return true end
  return self.method ~= nil and messagesIn(self.server, direction, s, at, limit) ~= nil
end

local function textOf(tree, name)
  local node = tree:child(1, name)
  return node and tree:bytes(node)
end

local function numberOf(tree, name)
  local node = tree:child(1, name)
  local read = node and numbers.control[tree.entry[node].o]
  return read and read(tree.sources[1].bytes, tree.sources[1].origin + tree.start[node])
end

-- Most bytes of a name that is kept with a request.
local LONGEST_SUBJECT = 256

-- The name in a request for what its reply gives the number of.
local function subjectOf(tree, name)
  local field = data.naming[name]
  local node = field and tree:child(1, field)
  if node == nil then return nil end
  local subject
  if tree.entry[node].o == "codec" then subject = values.text(tree, node)
  else
    local function find(kind, in_, at) return names.find(nil, kind, in_, at) end
    subject = labels.vaultTitle(tree, node, nil, data.titles, find) or labels.vaultType(tree, node, nil, data.titles)
  end
  return subject and #subject <= LONGEST_SUBJECT and subject or nil
end

-- Whether a message has fields that say what it belongs to.
local function isLinked(entry)
  if entry.isLinked == nil then
    entry.isLinked = data.ofGames[entry.n] == true
    -- Bytes that could not be dissected have no table.
    local struct = modules.declared.tables[entry.t or 0]
    for _, member in ipairs(struct and struct.e or {}) do
      entry.isLinked = entry.isLinked or member.n == "pingTime" or member.n == "transactionId"
    end
  end
  return entry.isLinked
end

-- What may be left out of a message where only a few fields are wanted: what its fields hold ("members"), if its own have to
-- be looked at, or all of it. `hasLinks`: what messages answer, and the names of things, are shown.
function session:sparse(direction, entry, hasLinks)
  local name = entry.n
  if data.ofGames[name] or (hasLinks and data.naming[name]) then return nil end
  return self.phase[direction] == "messages" and not (hasLinks and isLinked(entry)) and "all" or "members"
end

-- Learns from a message; returns what it exchanges with which other one, if anything.
function session:decoded(direction, tree)
  local phase, name = self.phase[direction], tree.entry[1].n
  if phase == "connect" then
    local connection = data.connections[byte(tree:bytes(1), 1)]
    self.server, self.protocol = connection.server, connection.server.protocol
    if connection.server.encrypted then self.phase.c2s = "setup"
    else self.phase = { c2s = "messages", s2c = "messages" } end
    return
  end
  if phase == "setup" then
    if name == "Cli2Srv_Connect" then self.y, self.phase.c2s = textOf(tree, "y"), "messages"
    elseif name == "Srv2Cli_Encrypt" then self.seed, self.phase.s2c = textOf(tree, "seed"), "messages" end
    if name == "Cli2Srv_Connect" or name == "Srv2Cli_Encrypt" or name == "Srv2Cli_Error" then return end
  end
  if not isLinked(tree.entry[1]) then return nil end
  local isRequest, ping = direction == "c2s", numberOf(tree, "pingTime")
  if ping then
    return { key = format("ping %.0f %.0f", ping, numberOf(tree, "transactionId") or -1), isRequest = isRequest }
  end
  local transaction = numberOf(tree, "transactionId")
  if transaction == nil then
    -- Messages of game managers have a numbering of their own, in which 0 asks for nothing.
    local buffer = data.ofGames[name] and tree:child(1, "buffer")
    local number = buffer and values.numberIn(tree, buffer, "transactionId") or 0
    return number ~= 0 and { key = format("game %.0f", number), isRequest = isRequest } or nil
  end
  return {
    key = format("%.0f", transaction), isRequest = isRequest,
    isReceipt = data.receipts[name], isPart = data.parts[name],
    subject = isRequest and subjectOf(tree, name), named = data.named[name],
  }
end

-- The keys of a key log: by the client's public value, most significant digit first and without leading zeros.
function session.readKeys(content, keys)
  for line in content:gmatch("[^\r\n]+") do
    local y, key = line:match("^%s*MOUL_RC4%s+(%x+)%s+(%x+)%s*$")
    if y == nil then y, key = line:match("^%s*MOUL_RC4%s+(%x+)%s+(%x+)%s*#") end
    if y and #key == 14 then
      keys[(y:lower():gsub("^0+", ""))] = (key:gsub("%x%x", function(two) return string.char(tonumber(two, 16)) end))
    end
  end
end

-- The names under which the key for a client's public value may be in a key log.
function session.keyNames(y)
  local function digits(bytes)
    return (bytes:gsub(".", function(one) return format("%02x", byte(one)) end):gsub("^0+", ""))
  end
  return { digits(y:reverse()), digits(y) }
end

return session
