-- Values of nodes, for functions that look into a tree.

local modules = ...
local numbers, text, codecs = modules.numbers.control, modules.text, modules.codecs

local values = {}

-- The node of an earlier field of a struct, which may not be finished, or nil.
function values.field(tree, struct, name)
  local node, stop = struct + 1, tree.after[struct]
  if stop <= node then stop = tree.count + 1 end
  while node < stop and node <= tree.count do
    if tree.entry[node].n == name then return node end
    node = tree.after[node]
  end
end

local function placeOf(tree, node)
  local source = tree.sources[tree.source[node]]
  return source.bytes, source.origin + tree.start[node], source.origin + tree.finish[node]
end

-- The number in a leaf of at most 32 bits, or nil.
function values.number(tree, node)
  local entry = tree.entry[node]
  local read = numbers[entry.o]
  local s, start, finish = placeOf(tree, node)
  if read then return read(s, start) end
  local codec = entry.o == "codec" and codecs[entry.cd.form]
  local value = codec and codec.read(entry.cd, s, start, finish)
  return type(value) == "number" and value or nil
end

-- Some bytes as hexadecimal digits.
function values.hex(bytes)
  return (bytes:gsub(".", function(one) return string.format("%02x", one:byte()) end))
end

local UUID_ORDER = { 7, 8, 5, 6, 3, 4, 1, 2, 0, 11, 12, 9, 10, 0, 15, 16, 13, 14, 0, 17, 18, 19, 20, 0 }

-- A UUID as text.
function values.uuid(bytes)
  local digits, parts = values.hex(bytes), {}
  for _, at in ipairs(UUID_ORDER) do parts[#parts + 1] = at == 0 and "-" or digits:sub(at, at) end
  return table.concat(parts) .. digits:sub(21)
end

-- The text in a leaf, or nil.
function values.text(tree, node)
  local entry = tree.entry[node]
  if entry.o == "codec" then
    local codec = codecs[entry.cd.form]
    local value = codec and codec.read(entry.cd, placeOf(tree, node))
    return type(value) == "string" and entry.cd.content ~= "bytes" and value or nil
  end
  local encoding = entry.enc or "utf8"
  if entry.o == "fixedtext" then return text.fixed(tree:bytes(node), encoding) end
  if entry.o == "text" then return text.counted(tree:bytes(node), encoding) end
  if entry.o == "uuid" then return values.uuid(tree:bytes(node)) end
end

-- The number in a field of a struct, or nil.
function values.numberIn(tree, struct, name)
  local node = values.field(tree, struct, name)
  return node and values.number(tree, node)
end

-- The text in a field of a struct, or nil.
function values.textIn(tree, struct, name)
  local node = values.field(tree, struct, name)
  return node and values.text(tree, node)
end

return values
