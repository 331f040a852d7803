-- What one conversation announces about another one to come: the ports of reconnections and of UDP links.

local announcements = {}

-- Forgets everything: another capture is read.
function announcements.reset()
  -- By the name of an end: the version that a server speaks there, or that a player with this id does.
  announcements.reconnect, announcements.players = {}, {}
  -- The owners of UDP links by the client's end; the ends of their servers.
  announcements.linkClients, announcements.linkServers = {}, {}
  -- Modern connections by both ends, and servers: true, or false for versions that are not declared.
  announcements.modern, announcements.modernServers = {}, {}
  announcements.listServers, announcements.datagrams = {}, {}
end

announcements.reset()

function announcements.between(client, server) return client.name .. " " .. server.name end

-- The version of the player whose id has this address and port.
function announcements.versionOfPlayer(name) return announcements.players[name] or announcements.reconnect[name] end

-- Counts a datagram that could be a modern one if these are the client and the server.
function announcements.possibleDatagram(client, server, isOneWay)
  local key = announcements.between(client, server)
  local seen = announcements.datagrams[key] or { count = 0, isOneWay = false }
  seen.count, seen.isOneWay = seen.count + 1, seen.isOneWay or isOneWay
  announcements.datagrams[key] = seen
  return seen
end

return announcements
