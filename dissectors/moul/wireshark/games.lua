-- What only one kind of game understands: an earlier message gave the number of the game and its kind.

local modules = ...
local decoder, values, resolvers = modules.decoder, modules.values, modules.resolvers
local format = string.format

function resolvers.gameSpecific(tree, struct, entry)
  local game = values.field(tree, struct, "receivingGameId")
  local kind = game and decoder.nameOf("game", tree, game) or ""
  return entry.rd[format("%s %.0f", kind, values.numberIn(tree, struct, "messageId") or -1)] or entry.rd.other
end

function resolvers.createData(tree, struct, entry)
  return entry.rd[values.textIn(tree, struct, "gameTypeId") or ""] or entry.rd.other
end
