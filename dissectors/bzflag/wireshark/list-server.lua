-- Conversations with list servers, in text. Source: facts, section 7.

local modules = ...
local data, entry, announcements = modules.data.list, modules.entry, modules.announcements
local sub, find, byte, format = string.sub, string.find, string.byte, string.format

local listServer = {}
listServer.__index = listServer

local LONGEST_HEAD, GAME_DIGITS, LONGEST_WORD = 2048, 72, 7
local BEGINNINGS = { "ADD ", "REMOVE ", "SETNUM ", "LIST\n", "LIST\r" }

local function beginsWith(text, beginning) return sub(text, 1, #beginning) == beginning end

local function isRequest(request)
  local lower = request:lower()
  local digits = lower:match("^add %S+ %d+ %S+ (%x+) ")
  return (digits and #digits == GAME_DIGITS) or find(lower, "^remove %S+\r?\n")
    or find(lower, "^setnum %S+ %d+ %d+ %d+ %d+ %d+\r?\n") or find(lower, "^list\r?\n\r?\n")
end

local function isResult(s) return #s == 1 and byte(s) <= 1 end

local function isEntry(line, isAll)
  local words = {}
  for word in (line .. " "):gmatch("([^ ]*) ") do words[#words + 1] = word end
  local version, game = words[2], words[3]
  if version == nil or game == nil then return not isAll and beginsWith("BZFS", sub(version or "", 1, 4)) end
  local hasDigits = #game == GAME_DIGITS or (not isAll and #words == 3 and #game < GAME_DIGITS)
  return hasDigits and find(version, "^BZFS%d%d%d[%w_]$") ~= nil
end

-- True if each line describes a game server; `isAll` is false if the last one may go on.
local function isList(content, isAll)
  local at = 1
  while true do
    local stop = find(content, "\n", at, true)
    if stop == nil then break end
    local line = sub(content, at, stop - 1):gsub("\r$", "")
    if line ~= "" and not isEntry(line, true) then return false end
    at = stop + 1
  end
  local rest = sub(content, at)
  return rest == "" or isEntry(rest, isAll)
end

local function isOfListServer(reply)
  local head = reply:match("^(.-)\n\r?\n") or sub(reply, 1, LONGEST_HEAD)
  return find("\n" .. head:lower(), "\nserver: bzfls", 1, true) ~= nil
end

local function isWhole(request) return find(request, "\n\r?\n") ~= nil or #request >= LONGEST_HEAD end

-- What follows the head of a reply over HTTP; nil if there is no such head.
local function contentOf(reply)
  if not find(reply, "^HTTP/1%.%d %d%d%d") then return nil end
  local _, stop = find(reply, "\n\r?\n")
  return stop and sub(reply, stop + 1)
end

-- Whether these are the first bytes of a client of a list server, and of what that answers: "list", "more" or "no".
function listServer.kind(c2s, s2c, isKnown)
  local request = sub(c2s, 1, LONGEST_HEAD)
  if request == "" then return "no" end
  if isRequest(request) then
    if find(request, "^[Ll][Ii][Ss][Tt]") then return isList(s2c, false) and "list" or "no" end
    return (s2c == "" or isResult(s2c)) and "list" or "no"
  end
  for _, beginning in ipairs(BEGINNINGS) do
    if beginsWith(beginning, request) then return "more" end
    if beginsWith(request, beginning) then return isWhole(request) and "no" or "more" end
  end
  if not find(request, "^GET %S+ HTTP/1") then
    return (beginsWith("GET ", sub(request, 1, 4)) and not isWhole(request)) and "more" or "no"
  end
  if isKnown then return "list" end
  local answer = sub(s2c, 1, LONGEST_HEAD)
  if isOfListServer(answer) then return "list" end
  local first = (contentOf(answer) or ""):match("^[^\n]*")
  if first ~= "" and find(first, "^%S+ BZFS%d%d%d[%w_] %x+ ") then return "list" end
  return (#answer < LONGEST_HEAD and beginsWith("HTTP/", sub(answer, 1, 5)) and not find(answer, "\n\r?\n.")) and "more" or "no"
end

function listServer.new(stream)
  return setmetatable({ stream = stream, protocol = "bzflag.list", open = 0 }, listServer)
end

local FOREIGN = { step = "foreign", reason = "this is not the protocol of list servers" }

function listServer:next(direction, s, at, limit)
  if self.isLeft then return FOREIGN end
  local step
  if direction == "c2s" then step = self:requestStep(s, at, limit) else step = self:replyStep(s, at, limit) end
  self.isLeft = step == FOREIGN
  return step
end

function listServer:requestStep(s, at, limit)
  if self.request == "GET" then return FOREIGN end
  local head = sub(s, at + 1, math.min(limit, at + LONGEST_WORD + 1))
  local word = head:match("^([A-Z]+)[ \r\n]")
  local request = word and data.requests[word]
  if request then return { step = "message", entry = entry(request), word = word } end
  if #head <= LONGEST_WORD and find(head, "^[A-Z]*$") then return { step = "more", bytes = #head + 1 } end
  return { step = "unknown", name = "ListServerText", reason = "this is not a request that list servers know" }
end

-- True if a line names the address from which a server was registered.
local function hasAddress(reply)
  for line in (reply .. "\n"):gmatch("([^\n]*)\n") do
    local digits = line:match("^%S+ %S+ (%x+) %d+%.%d+%.%d+%.%d+ ")
    if digits and #digits == GAME_DIGITS then return true end
  end
  return false
end

function listServer:replyStep(s, at, limit)
  if self.open <= 0 then return self.request and FOREIGN or { step = "wait" } end
  if self.request ~= "LIST" and self.request ~= "GET" then
    local isAnswer = byte(s, at + 1) <= 1
    return isAnswer and { step = "message", entry = entry(data.result), length = 1 } or FOREIGN
  end
  -- The list has no length: the server hangs up after it.
  local available = limit - at
  if not self.stream.ended("s2c") then return { step = "more", bytes = available + 1, untilEnd = true } end
  local reply, isWeb = sub(s, at + 1, limit), self.request == "GET"
  local content = reply
  if isWeb then content = contentOf(reply) end
  if isWeb and isOfListServer(reply) then announcements.listServers[self.stream.server.name] = true end
  if content and not isList(content, true) then return FOREIGN end
  local full, older = data.entries, data.entries17d
  if isWeb then full, older = data.http, data.http17d end
  return { step = "message", entry = entry(hasAddress(reply) and full or older), length = available }
end

function listServer:decoded(direction, _, step)
  if direction == "s2c" then
    self.open = self.open - 1
    return
  end
  self.request, self.open = step.word, self.open + 1
  if step.word ~= "GET" then announcements.listServers[self.stream.server.name] = true end
end

return listServer
