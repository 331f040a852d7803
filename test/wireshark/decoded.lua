-- Without Wireshark: decodes the messages on standard input, one a line as hexadecimal digits, by the plugin whose path is
-- the first argument; the second is the name of the struct. Prints the fields of each: name, start and end. Then each is
-- gone through once more for a few fields only, of which the same must be found.

local modules = dofile(arg[1]).moul
local decoder, declared = modules.decoder, modules.declared

local entry
for number, struct in ipairs(declared.tables) do
  if declared.structs[struct.st].n == arg[2] then entry = modules.entry(number) end
end

local function isWanted(one) return one.o == "polymorphic" or one.n == "receiverCount" or one.n == "objectName" end

local function fieldsOf(tree, isShown)
  local found = {}
  for node = 2, tree.count do
    local one = tree.entry[node]
    if isShown(one) then
      found[#found + 1] = string.format("%s:%.0f:%.0f", one.n, tree.start[node], tree.finish[node])
    end
  end
  return table.concat(found, " ")
end

local skimmed = 0

-- Goes through a message for what is wanted only; `sparse` says whether its own members have nodes nevertheless.
local function wantedIn(bytes, sparse)
  modules.skim.limit({ isAll = true, entry = isWanted, class = function() return false end })
  local skim = decoder.skim
  decoder.skim = function(...)
    local stop = skim(...)
    if stop then skimmed = skimmed + 1 end
    return stop
  end
  decoder.decode(entry, bytes, 0, #bytes, "open", sparse)
  return fieldsOf(decoder.tree, isWanted)
end

for line in io.lines() do
  local bytes = line:gsub("%x%x", function(two) return string.char(tonumber(two, 16)) end)
  modules.skim.limit(nil)
  decoder.decode(entry, bytes, 0, #bytes, "open")
  print(fieldsOf(decoder.tree, function() return true end))
  local all = fieldsOf(decoder.tree, isWanted)
  for _, sparse in ipairs({ "members", "all" }) do
    local some = wantedIn(bytes, sparse)
    if some ~= all then error("of " .. line .. ", only " .. some .. " instead of " .. all) end
  end
end
print(skimmed)
