-- Without Wireshark: decrypts bytes by the plugin whose path is the first argument, after 300 others; the second is the key,
-- the third the bytes, both as hexadecimal digits, and the rest say how many of them come at once. Prints them.

local rc4 = dofile(arg[1]).moul.rc4

local function bytesOf(digits)
  return (digits:gsub("%x%x", function(two) return string.char(tonumber(two, 16)) end))
end

local cipher, bytes, at = rc4.new(bytesOf(arg[2])), bytesOf(arg[3]), 1
cipher:advance(300)
local plain = {}
for index = 4, #arg do
  local length = tonumber(arg[index])
  plain[#plain + 1] = cipher:apply(bytes:sub(at, at + length - 1))
  at = at + length
end
print((table.concat(plain):gsub(".", function(one) return string.format("%02x", one:byte()) end)))
