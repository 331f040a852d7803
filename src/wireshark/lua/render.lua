-- Shows decoded messages: the tree of fields, and the summary of a message for the info column.

local modules = ...
local declared, decoder, fields, text, codecs, labels, bits =
  modules.declared, modules.decoder, modules.fields, modules.text, modules.codecs, modules.labels, modules.bits
local numbers, decimal = modules.numbers.control, modules.decimal
local sub, format, concat, byte = string.sub, string.format, table.concat, string.byte

local render = {}

-- Most items of one message that are shown: Wireshark gives up a packet with a million of them.
local MOST_ITEMS = 50000
local MOST_FACTS, LONGEST_FACT = 7, 60

local function bytesOf(source, start, finish) return sub(source.bytes, source.origin + start + 1, source.origin + finish) end

-- The text or bytes of a leaf that is not a number of fixed width.
local function textOf(entry, source, start, finish)
  local kind = entry.o
  if kind == "codec" then
    local codec = codecs[entry.cd.form]
    return codec and codec.read(entry.cd, source.bytes, source.origin + start, source.origin + finish) or ""
  end
  local content = bytesOf(source, start, finish)
  local encoding = entry.enc or "utf8"
  return kind == "fixedtext" and text.fixed(content, encoding) or text.counted(content, encoding)
end

local function flagsText(names, value)
  local found, rest, place = {}, value, 1
  while place <= rest and place < 4294967296 do
    if math.floor(rest / place) % 2 == 1 then
      local name = names[place]
      if name then
        found[#found + 1] = name
        rest = rest - place
      end
    end
    place = place * 2
  end
  if rest > 0 then found[#found + 1] = format("0x%x", rest) end
  return concat(found, " | ")
end

-- What a number means, in words, or nil.
local function labelOf(entry, value)
  local meaning = entry.f
  if meaning == nil or value == nil then return nil end
  if meaning.twin then return labels[meaning.twin] and labels[meaning.twin](value, meaning.td) end
  local names = meaning.names and declared.names[meaning.names]
  if names == nil then return nil end
  if meaning.form == "flags" then
    if value < 0 then value = value + 2 ^ (8 * entry.w) end
    local shown = flagsText(names, value)
    return shown ~= "" and shown or nil
  end
  return names[value]
end

local function numberOf(entry, source, start, finish)
  if entry.o == "codec" then
    local codec = codecs[entry.cd.form]
    return codec and codec.number and codec.read(entry.cd, source.bytes, source.origin + start, source.origin + finish)
  end
  local read = numbers[entry.o]
  return read and read(source.bytes, source.origin + start)
end

-- What a struct says in one line, or nil.
local function structLabel(tree, node, name)
  local entry = tree.entry[node]
  local struct = entry.t and declared.structs[declared.tables[entry.t].st]
  local twin = struct and struct.lb and labels[struct.lb]
  return twin and twin(tree, node, name, struct.lbd)
end

function render.structText(tree, node) return structLabel(tree, node) end

-- What makes the fact of a struct for the summary, or nil.
local function factOf(entry)
  local struct = entry.t and declared.structs[declared.tables[entry.t].st]
  return struct and struct.fa and labels[struct.fa], struct and struct.fad
end

local function float(entry, source, start, finish)
  local bytes = bytesOf(source, start, finish)
  local big = entry.o:sub(-2) == "be"
  local code = (big and ">" or "<") .. (entry.o:sub(1, 3) == "f32" and "f" or "d")
  return (Struct or string).unpack(code, bytes)
end

local function floatText(entry, source, start, finish)
  local value = float(entry, source, start, finish)
  if value == 0 and 1 / value < 0 then return "-0" end
  return entry.w == 4 and decimal.single(value) or decimal.double(value)
end

local hex = modules.values.hex

-- The text cut after as many UTF-16 units as one fact may have, as moul-dissect counts them.
local function shortened(value)
  if #value <= LONGEST_FACT then return value end
  local units, at = 0, 1
  while at <= #value do
    local first = byte(value, at)
    local length = first >= 0xF0 and 4 or first >= 0xE0 and 3 or first >= 0xC0 and 2 or 1
    units = units + (length == 4 and 2 or 1)
    if units > LONGEST_FACT then return sub(value, 1, at - 1) .. "…" end
    at = at + length
  end
  return value
end

-- A value as the summary shows it; `name` is that of what it refers to, if that is known.
local function valueText(entry, source, start, finish)
  local kind = entry.o
  if kind == "f32le" or kind == "f32be" or kind == "f64le" or kind == "f64be" then
    return floatText(entry, source, start, finish)
  end
  if kind == "bool8" or kind == "bool32le" then return numberOf(entry, source, start) ~= 0 and "true" or "false" end
  local number = numberOf(entry, source, start, finish)
  if number then
    local label = labelOf(entry, number)
    return label and shortened(label) or format("%.0f", number)
  end
  if kind == "uuid" then
    return modules.values.uuid(bytesOf(source, start, finish))
  end
  if kind == "bytes" or kind == "fixedbytes" then return shortened(hex(bytesOf(source, start, finish))) end
  local value = textOf(entry, source, start, finish)
  if type(value) == "number" then return format("%.0f", value) end
  return '"' .. shortened(value) .. '"'
end

local QUOTED = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t", ["\b"] = "\\b", ["\f"] = "\\f" }

local function quoted(value)
  return '"' .. value:gsub('[%c"\\]', function(one)
    return QUOTED[one] or (one ~= "\127" and format("\\u%04x", byte(one))) or nil
  end) .. '"'
end

-- The value of a leaf in the label of a struct, or nil for bytes.
function render.plainText(tree, node)
  local entry, source = tree.entry[node], tree.sources[tree.source[node]]
  local start, finish, kind = tree.start[node], tree.finish[node], entry.o
  if kind == "bytes" or kind == "fixedbytes" then return nil end
  if kind:find("^f%d") then
    local value = float(entry, source, start, finish)
    return entry.w == 4 and decimal.single(value) or decimal.double(value)
  end
  if kind == "bool8" or kind == "bool32le" then return numberOf(entry, source, start) ~= 0 and "true" or "false" end
  local number = numberOf(entry, source, start, finish)
  if number then return format("%.0f", number) end
  if kind == "uuid" then return valueText(entry, source, start, finish) end
  local value = textOf(entry, source, start, finish)
  return type(value) == "string" and quoted(value) or format("%.14g", value)
end

local function factText(tree, node, name)
  local entry = tree.entry[node]
  if entry.o == "struct" then return shortened(structLabel(tree, node, name) or name or "") end
  local text = valueText(entry, tree.sources[tree.source[node]], tree.start[node], tree.finish[node])
  return name and format("%s (%s)", text, shortened(name)) or text
end

-- The tag of a polymorphic field, or nil.
local function tagOf(tree, node)
  local tagNode = node + 1
  if tree.after[node] <= tagNode then return nil end
  local source = tree.sources[tree.source[tagNode]]
  return numberOf(tree.entry[tagNode], source, tree.start[tagNode], tree.finish[tagNode])
end

local function className(tree, node)
  local entry = tree.entry[node]
  local struct = entry.t and declared.tables[entry.t].st
  if struct then
    local name = declared.structs[struct].n
    return name ~= "" and name or nil, struct
  end
  if entry.o ~= "polymorphic" then return nil end
  local family, tag = declared.families[entry.fam], tagOf(tree, node)
  if tag == nil or tag == family.null or family.closed then return nil end
  return decoder.called(family, tag)
end

-- True for a polymorphic field that says that nothing is there.
local function isNull(tree, node)
  local entry = tree.entry[node]
  return entry.t == nil and entry.o == "polymorphic" and tagOf(tree, node) == (declared.families[entry.fam].null or false)
end

-- The nodes that contain a node, from the outermost to the innermost, without the root.
local function around(tree, node)
  local outers, at = {}, 2
  while at < node do
    if tree.after[at] > node then
      outers[#outers + 1] = at
      at = at + 1
    else at = tree.after[at] end
  end
  return outers
end

local function isOnlyOne(tree, node, name, facts)
  for _, other in ipairs(facts) do
    if other ~= node and tree.entry[other].n == name then return false end
  end
  return true
end

local function isAloneIn(tree, outer, node, facts)
  for _, other in ipairs(facts) do
    if other > outer and other < tree.after[outer] and other ~= node then return false end
  end
  return true
end

-- The name that a fact is shown under: see `namingField` in moul-dissect.
local function nameOfFact(tree, node, facts)
  local name = tree.entry[node].n
  local isElement = name == ""
  if not isElement and isOnlyOne(tree, node, name, facts) then return name end
  local best, outers = name, around(tree, node)
  for depth = #outers, 1, -1 do
    local outer = outers[depth]
    local isAlone, kind = isAloneIn(tree, outer, node, facts), tree.entry[outer].o
    if (not isAlone and kind ~= "array" and kind ~= "tuple") or kind == "polymorphic" then break end
    if tree.entry[outer].n ~= "" then best = tree.entry[outer].n end
    if not isAlone or isElement then break end
  end
  return best
end

local function hasLabel(entry)
  local struct = entry.t and declared.structs[declared.tables[entry.t].st]
  return struct ~= nil and struct.lb ~= nil
end

-- What the message in the decoder's tree says, in one line; `names` are those of what it refers to, by node.
function render.summary(tree, names)
  local classes, facts, arrayEnd, factEnd = {}, {}, 0, 0
  for node = 2, tree.count do
    local entry = tree.entry[node]
    local kind = entry.o
    local isClass = kind == "polymorphic" or (kind == "struct" and entry.sum and not hasLabel(entry))
    if kind == "array" or kind == "tuple" then arrayEnd = math.max(arrayEnd, tree.after[node])
    elseif isClass and node >= arrayEnd then classes[#classes + 1] = className(tree, node) end
    if node >= factEnd and #facts <= MOST_FACTS then
      if entry.t and factOf(entry) then
        factEnd = tree.after[node]
        facts[#facts + 1] = node
      elseif entry.sum and not isClass and kind ~= "array" and kind ~= "tuple" then facts[#facts + 1] = node end
    end
  end
  local shown = {}
  for index = 1, math.min(#facts, MOST_FACTS) do
    local node = facts[index]
    local fact, data = factOf(tree.entry[node])
    shown[index] = fact and shortened(fact(tree, node, nil, data)) or nameOfFact(tree, node, facts) .. "=" .. factText(tree, node, names and names[node])
  end
  local line = concat(classes, " > ")
  if #shown > 0 then line = line .. (line ~= "" and ": " or "") .. concat(shown, ", ") end
  if #facts > MOST_FACTS then line = line .. ", …" end
  if line == "" then
    local label = tree.count > 0 and structLabel(tree, 1)
    if label then line = shortened(label) end
  end
  return line
end

local HOLDERS = { array = true, tuple = true, struct = true, polymorphic = true }

-- Adds a number that a codec has read. Wireshark has whole numbers of 32 bits for it.
local function addNumber(parent, entry, range, value)
  if value ~= value then
    local item = parent:add(fields.undissected, range)
    item:set_text(entry.n .. ": not a number")
    return item
  end
  local held = math.floor(math.min(math.max(value, 0), 4294967295))
  local item = parent:add(entry.pf, range, held)
  if held ~= value then item:set_text(format("%s: %.14g", entry.n, value)) end
  return item
end

-- Adds a leaf to a tree of Wireshark.
local function addLeaf(parent, entry, source, range, start, finish)
  if entry.opaque or entry.pf == nil then
    local item = parent:add(fields.undissected, range)
    if entry.n ~= "undissected" then item:set_text(entry.n .. ": " .. (finish - start) .. " bytes") end
    return item
  end
  local kind = entry.ft
  if kind == "string" then
    return parent:add(entry.pf, range, (textOf(entry, source, start, finish):gsub("%z", "\\0")))
  elseif entry.o == "codec" then
    if kind == "bytes" then
      local value = textOf(entry, source, start, finish)
      return parent:add(entry.pf, range(finish - start - #value, #value))
    end
    return addNumber(parent, entry, range, textOf(entry, source, start, finish))
  elseif sub(entry.o, -2) == "le" or kind == "guid" then return parent:add_le(entry.pf, range)
  end
  return parent:add(entry.pf, range)
end

local function noteOn(item, note)
  item:add_proto_expert_info(fields.experts[note.severity] or fields.experts.note, note.text)
end

-- True for a number that is none, which is shown as bytes.
local function isUnread(entry, source, start, finish)
  if entry.o ~= "codec" or entry.ft ~= "uint32" then return false end
  local value = textOf(entry, source, start, finish)
  return value ~= value
end

-- Adds what is wanted of a node; `at` is where its bytes begin in a Tvb.
local function addWanted(root, tree, node, tvb, at, named, wanted)
  local entry, source, start, finish = tree.entry[node], tree.sources[tree.source[node]], tree.start[node], tree.finish[node]
  local kind, length = entry.o, finish - start
  if named then root:add(fields.named, tvb(at, length), named) end
  if kind == "polymorphic" then
    local name, struct = className(tree, node)
    local class = fields.classes[struct or 0]
    if name and wanted[fields.class] then root:add(fields.class, name) end
    if class and wanted[class] then root:add(class, tvb(at, length)) end
  end
  if HOLDERS[kind] then
    if entry.pf and wanted[entry.pf] then root:add(entry.pf, tvb(at, length)) end
  elseif wanted[entry.pf or fields.undissected] or (wanted[fields.undissected] and isUnread(entry, source, start, finish)) then
    addLeaf(root, entry, source, tvb(at, length), start, finish)
  end
end

-- Shows the message in the decoder's tree below an item; `tvb` begins with the message, and `names` are those of what it
-- refers to, by node.
function render.tree(tree, tvb, root, names)
  local tvbs = { tvb }
  for index = 2, #tree.sources do
    if #tree.sources[index].bytes > 0 then tvbs[index] = ByteArray.new(tree.sources[index].bytes, true):tvb("Decompressed") end
  end
  local notes = {}
  for _, note in ipairs(tree.notes) do
    notes[note.node] = notes[note.node] or {}
    table.insert(notes[note.node], note)
  end
  local items, stops, depth = { root }, { tree.after[1] }, 1
  local index = {}
  if notes[1] then for _, note in ipairs(notes[1]) do noteOn(root, note) end end
  for node = 2, tree.count do
    if node > MOST_ITEMS then
      noteOn(root, { severity = "warning", text = "the rest of the message is not shown: it has too many fields" })
      break
    end
    while depth > 1 and node >= stops[depth] do depth = depth - 1 end
    local entry = tree.entry[node]
    local which = tree.source[node]
    local source, own = tree.sources[which], tvbs[which]
    local start, finish = tree.start[node], tree.finish[node]
    local range = own and own(start, finish - start)
    local parent, item = items[depth], nil
    index[depth] = (index[depth] or -1) + 1
    local kind = entry.o
    if range == nil then item = parent:add(entry.n)
    elseif kind == "struct" or kind == "polymorphic" then
      local name, struct = className(tree, node)
      item = entry.pf and parent:add(entry.pf, range) or parent:add(range, entry.n)
      local label = structLabel(tree, node, names and names[node])
      local what = (name and label) and format("%s (%s)", name, label) or name or label or (isNull(tree, node) and "null")
      item:set_text((entry.n ~= "" and entry.n or format("[%d]", index[depth])) .. (what and ": " .. what or ""))
      if kind == "polymorphic" and name then
        item:add(fields.class, name):set_generated()
        local class = fields.classes[struct or 0]
        if class then item:add(class, range):set_hidden() end
      end
    elseif kind == "array" or kind == "tuple" then
      item = parent:add(range, entry.n ~= "" and entry.n or format("[%d]", index[depth]))
    else
      item = addLeaf(parent, entry, source, range, start, finish)
      if entry.f and entry.f.form ~= "enumeration" then
        local label = labelOf(entry, numberOf(entry, source, start, finish))
        if label then item:append_text(" (" .. label .. ")") end
      end
    end
    local named = names and names[node]
    if named then
      if kind ~= "struct" then item:append_text(" (" .. named .. ")") end
      item:add(fields.named, range, named):set_generated()
    end
    if notes[node] then for _, note in ipairs(notes[node]) do noteOn(item, note) end end
    if tree.after[node] > node + 1 then
      depth = depth + 1
      items[depth], stops[depth], index[depth] = item, tree.after[node], -1
    end
  end
end

-- Whether an entry of the tables is wanted, for each set of wanted fields.
local interests = setmetatable({}, { __mode = "k" })

local function interestIn(wanted)
  local interest = interests[wanted]
  if interest == nil then
    interest = setmetatable({}, {
      __index = function(known, entry)
        local isClass = entry.o == "polymorphic" and (wanted[fields.class] or entry.t ~= nil)
        local own = entry.pf or (not HOLDERS[entry.o] and fields.undissected)
        local isWanted = isClass or (own and wanted[own]) or (entry.o == "codec" and wanted[fields.undissected]) or false
        known[entry] = isWanted
        return isWanted
      end,
    })
    interests[wanted] = interest
  end
  return interest
end

-- Adds the fields of a message that are wanted, below an item; `at` is where the message begins in a Tvb.
function render.wanted(tree, tvb, at, root, names, wanted)
  local tvbs, entries, interest = { tvb }, tree.entry, interestIn(wanted)
  local withNames = names and wanted[fields.named] and names or nil
  for node = 2, math.min(tree.count, MOST_ITEMS) do
    local named = withNames and withNames[node]
    if interest[entries[node]] or named then
      local which = tree.source[node]
      local source, start = tree.sources[which], tree.start[node]
      if which > 1 and tvbs[which] == nil and #source.bytes > 0 then
        tvbs[which] = ByteArray.new(source.bytes, true):tvb("Decompressed")
      end
      local own = tvbs[which]
      if own then addWanted(root, tree, node, own, which == 1 and at + start or start, named, wanted) end
    end
  end
  for _, note in ipairs(tree.notes) do noteOn(root, note) end
end

return render
