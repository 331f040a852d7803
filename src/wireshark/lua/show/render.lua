-- Shows decoded messages in Wireshark's tree of fields.

local modules = ...
local declared, fields, words = modules.declared, modules.fields, modules.words
local textOf, labelOf, numberOf = words.text, words.label, words.number
local structLabel, className, isNull = words.structLabel, words.className, words.isNull
local sub, format = string.sub, string.format

local render = {}

-- Most items of one message that are shown: Wireshark gives up a packet with a million of them.
local MOST_ITEMS = 50000

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
