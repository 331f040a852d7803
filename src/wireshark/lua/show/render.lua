-- Shows decoded messages in Wireshark's tree of fields.

local modules = ...
local declared, fields, words = modules.declared, modules.fields, modules.words
local textOf, labelOf, numberOf = words.text, words.label, words.number
local structLabel, className, isNull = words.structLabel, words.className, words.isNull
local sub, format = string.sub, string.format
-- Called as functions: to look a method up in an object takes Wireshark longer than most of them do.
local add, addLittle, setText, appendText = TreeItem.add, TreeItem.add_le, TreeItem.set_text, TreeItem.append_text
local setHidden, setGenerated = TreeItem.set_hidden, TreeItem.set_generated

local render = {}

-- Most items of one message that are shown: Wireshark gives up a packet with a million of them.
local MOST_ITEMS = 50000

local HOLDERS = { array = true, tuple = true, struct = true, polymorphic = true }

-- Adds a number that a codec has read. Wireshark has whole numbers of 32 bits for it.
local function addNumber(parent, entry, range, value)
  if value ~= value then
    local item = add(parent, fields.undissected, range)
    setText(item, entry.n .. ": not a number")
    return item
  end
  local held = math.floor(math.min(math.max(value, 0), 4294967295))
  local item = add(parent, entry.pf, range, held)
  if held ~= value then setText(item, format("%s: %.14g", entry.n, value)) end
  return item
end

-- Adds a leaf to a tree of Wireshark.
local function addLeaf(parent, entry, source, range, start, finish)
  if entry.opaque or entry.pf == nil then
    local item = add(parent, fields.undissected, range)
    if entry.n ~= "undissected" then setText(item, entry.n .. ": " .. (finish - start) .. " bytes") end
    return item
  end
  local kind = entry.ft
  if kind == "string" then
    return add(parent, entry.pf, range, (textOf(entry, source, start, finish):gsub("%z", "\\0")))
  elseif entry.o == "codec" then
    if kind == "bytes" then
      local value = textOf(entry, source, start, finish)
      return add(parent, entry.pf, range(finish - start - #value, #value))
    end
    return addNumber(parent, entry, range, textOf(entry, source, start, finish))
  elseif sub(entry.o, -2) == "le" or kind == "guid" then return addLittle(parent, entry.pf, range)
  end
  return add(parent, entry.pf, range)
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

-- Adds what is wanted of a node, in any of these ways; `at` is where its bytes begin in a Tvb.

local function addKinds(root, struct, range, wanted)
  local kinds = fields.kinds[struct]
  for index = 1, #kinds do
    if wanted[kinds[index]] then add(root, kinds[index], range) end
  end
end

local function addHolder(entry)
  return function(root, tree, node, tvb, at, length, wanted)
    if entry.o == "polymorphic" then
      local name, struct = className(tree, node)
      if name and wanted[fields.class] then add(root, fields.class, name) end
      if struct then addKinds(root, struct, tvb(at, length), wanted) end
    end
    if entry.pf and wanted[entry.pf] then add(root, entry.pf, tvb(at, length)) end
  end
end

-- Of a known class: what is the same for all such nodes is looked up once.
local function addClass(entry)
  local name, struct = className({ entry = { entry } }, 1)
  local field, classField = entry.pf, fields.class
  local isNamed = name ~= nil and entry.o == "polymorphic"
  return function(root, _, _, tvb, at, length, wanted)
    if isNamed and wanted[classField] then add(root, classField, name) end
    addKinds(root, struct, tvb(at, length), wanted)
    if field and wanted[field] then add(root, field, tvb(at, length)) end
  end
end

local function addAnyLeaf(entry)
  return function(root, tree, node, tvb, at, length, wanted)
    local source, start, finish = tree.sources[tree.source[node]], tree.start[node], tree.finish[node]
    if wanted[entry.pf or fields.undissected] or (wanted[fields.undissected] and isUnread(entry, source, start, finish)) then
      addLeaf(root, entry, source, tvb(at, length), start, finish)
    end
  end
end

local function addNumber32(entry)
  local field = entry.pf
  return function(root, _, _, tvb, at, length) addLittle(root, field, tvb(at, length)) end
end

-- How a node of each entry of the tables is added.
local ways = setmetatable({}, {
  __index = function(known, entry)
    local way
    if HOLDERS[entry.o] then way = entry.t and addClass(entry) or addHolder(entry)
    elseif entry.o == "u32le" and entry.pf then way = addNumber32(entry)
    else way = addAnyLeaf(entry) end
    known[entry] = way
    return way
  end,
})

-- The source of data of its own that inflated bytes are; false for none.
local function inflated(source)
  return #source.bytes > 0 and ByteArray.new(source.bytes, true):tvb("Decompressed")
end

-- Shows the message in the decoder's tree below an item; `tvb` begins with the message, and `names` are those of what it
-- refers to, by node.
function render.tree(tree, tvb, root, names)
  local tvbs = { tvb }
  for index = 2, #tree.sources do
    tvbs[index] = inflated(tree.sources[index])
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
    if range == nil then item = add(parent, entry.n)
    elseif kind == "struct" or kind == "polymorphic" then
      local name, struct = className(tree, node)
      item = entry.pf and add(parent, entry.pf, range) or add(parent, range, entry.n)
      local label = structLabel(tree, node, names and names[node])
      local what = (name and label) and format("%s (%s)", name, label) or name or label or (isNull(tree, node) and "null")
      setText(item, (entry.n ~= "" and entry.n or format("[%d]", index[depth])) .. (what and ": " .. what or ""))
      if kind == "polymorphic" and name then setGenerated(add(item, fields.class, name)) end
      if struct then
        for _, class in ipairs(fields.kinds[struct]) do setHidden(add(item, class, range)) end
      end
    elseif kind == "array" or kind == "tuple" then
      item = add(parent, range, entry.n ~= "" and entry.n or format("[%d]", index[depth]))
    else
      item = addLeaf(parent, entry, source, range, start, finish)
      if entry.f and entry.f.form ~= "enumeration" then
        local label = labelOf(entry, numberOf(entry, source, start, finish))
        if label then appendText(item, " (" .. label .. ")") end
      end
    end
    local named = names and names[node]
    if named then
      if kind ~= "struct" then appendText(item, " (" .. named .. ")") end
      setGenerated(add(item, fields.named, range, named))
    end
    if notes[node] then for _, note in ipairs(notes[node]) do noteOn(item, note) end end
    if tree.after[node] > node + 1 then
      depth = depth + 1
      items[depth], stops[depth], index[depth] = item, tree.after[node], -1
    end
  end
end

-- How a node of an entry of the tables is added if it is wanted, else false, for each set of wanted fields.
local interests = setmetatable({}, { __mode = "k" })
local latest, latestInterest

local function interestIn(wanted)
  if wanted == latest then return latestInterest end
  local interest = interests[wanted]
  if interest == nil then
    interest = setmetatable({}, {
      __index = function(known, entry)
        local isClass = (entry.o == "polymorphic" and wanted[fields.class])
          or (entry.t ~= nil and fields.isKindWanted(declared.tables[entry.t].st, wanted))
        local own = entry.pf or (not HOLDERS[entry.o] and fields.undissected)
        local isWanted = isClass or (own and wanted[own]) or (entry.o == "codec" and wanted[fields.undissected]) or false
        known[entry] = isWanted and ways[entry]
        return known[entry]
      end,
    })
    interests[wanted] = interest
  end
  latest, latestInterest = wanted, interest
  return interest
end

-- Adds the fields of a message that are wanted, below an item; `at` is where the message begins in a Tvb.
function render.wanted(tree, tvb, at, root, names, wanted)
  local tvbs, entries, interest, last = nil, tree.entry, interestIn(wanted), tree.count
  local withNames = names and wanted[fields.named] and names or nil
  if last > MOST_ITEMS then last = MOST_ITEMS end
  for node = 2, last do
    local way, named = interest[entries[node]], withNames and withNames[node]
    if way or named then
      local which, start = tree.source[node], tree.start[node]
      local own, from, length = tvb, at + start, tree.finish[node] - start
      if which > 1 then
        tvbs = tvbs or {}
        if tvbs[which] == nil then tvbs[which] = inflated(tree.sources[which]) end
        own, from = tvbs[which], start
      end
      if own and named then add(root, fields.named, own(from, length), named) end
      if own and way then way(root, tree, node, own, from, length, wanted) end
    end
  end
  if #tree.notes > 0 then
    for _, note in ipairs(tree.notes) do noteOn(root, note) end
  end
end

return render
