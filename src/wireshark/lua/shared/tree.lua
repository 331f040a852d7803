-- The tree of one decoded message: nodes in wire order, parents before their children, in arrays that are used again for
-- the next message.

local Tree = {}
Tree.__index = Tree

local WEIGHT = { ok = 0, unknown = 1, truncated = 2, malformed = 3 }

function Tree.new()
  local own = { entry = {}, source = {}, start = {}, finish = {}, after = {}, sources = {}, notes = {}, bindings = {} }
  return setmetatable(own, Tree):clear()
end

-- Only the first `count` nodes are of the message. What is empty is used again.
function Tree:clear()
  self.count = 0
  if #self.sources > 1 then self.sources = {} end
  if #self.notes > 0 then self.notes = {} end
  if #self.bindings > 0 then self.bindings = {} end
  self.outcome = "ok"
  return self
end

-- Adds a node; returns its index, counted from 1.
function Tree:add(entry, source, start, finish)
  local node = self.count + 1
  self.count = node
  self.entry[node], self.source[node], self.start[node], self.finish[node] = entry, source, start, finish
  self.after[node] = node + 1
  return node
end

-- Forgets the nodes after the first `count`.
function Tree:truncate(count)
  self.count = count
  while #self.bindings > 0 and self.bindings[#self.bindings] > count do table.remove(self.bindings) end
end

-- Adds a note on a node, and lowers the outcome.
function Tree:note(outcome, severity, node, text)
  if WEIGHT[outcome] > WEIGHT[self.outcome] then self.outcome = outcome end
  if #self.notes < 256 then
    self.notes[#self.notes + 1] = { severity = severity, node = math.max(node, 1), text = text }
  end
end

-- The node directly below another one with this name, or nil.
function Tree:child(parent, name)
  local node, stop = parent + 1, math.min(self.after[parent] or 0, self.count + 1)
  while node < stop do
    if self.entry[node].n == name then return node end
    node = self.after[node]
  end
end

-- The node at a path below another one: "a.b".
function Tree:at(parent, path)
  local node = parent
  for name in path:gmatch("[^.]+") do
    node = node and self:child(node, name)
  end
  return node
end

-- The bytes of a node.
function Tree:bytes(node)
  local source = self.sources[self.source[node]]
  return source.bytes:sub(source.origin + self.start[node] + 1, source.origin + self.finish[node])
end

return Tree
