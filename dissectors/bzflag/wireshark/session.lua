-- What a conversation of BZFlag is: see recognise.lua for how it is known, tcp.lua and udp.lua for what is in it.

local modules = ...
local data, recognise, announcements, tcp, udp, listServer =
  modules.data, modules.recognise, modules.announcements, modules.tcp, modules.udp, modules.listServer

local session = { isFinal = true, looksForEnds = true, reset = announcements.reset }

local function maker(kind)
  local is = kind.is
  if is == "hello" then return tcp.hello end
  if is == "modern" then return tcp.modern end
  if is == "list" then return listServer.new end
  if is == "udp" then return udp.new end
  return function(stream) return tcp.game(stream, kind.version) end
end

-- What the user has declared a conversation to be.
local function declaredKind(opening)
  local declared = opening.declared
  if declared == "bzflag.list" then return { is = "list" } end
  if declared == data.modern.protocol then return { is = "modern" } end
  if opening.transport == "udp" then return { is = "udp" } end
  local isHello = opening.bytes:sub(1, 4) == "BZFS"
  return isHello and { is = "hello" } or { is = "game", version = declared }
end

function session.open(opening)
  local kind, client = recognise.kind(opening)
  if opening.declared and data.versions[opening.declared] and opening.transport == "udp" then
    return {
      client = client == "to" and "to" or "from",
      new = function(stream) return udp.new(stream, opening.declared) end,
    }
  end
  if type(kind) == "table" then return { client = client, new = maker(kind) } end
  if opening.declared == nil then return kind end
  local fromServer = recognise.isUsualServer(opening.to, opening.from)
  return { client = fromServer and "to" or "from", new = maker(declaredKind(opening)) }
end

return session
