-- How long the functions of a Lua file are: prints those over the limit, and fails when there are any.
-- Counted from `function` to its `end` by the words that open and close blocks; strings and comments are taken out first.

local LIMIT <const> = 40

local function without_text(line)
  line = line:gsub("\\.", ""):gsub('"[^"]*"', '""'):gsub("'[^']*'", "''")
  return (line:gsub("%-%-.*$", ""))
end

--- In lua/mgba-bridge.lua, a module is a function that runs once; lua/bundle.lua writes these lines.
local function is_module(text)
  return text:find('^modules%["[%w_.]+"%] = %(function%(%)$') ~= nil
end

local OPENS <const> = { ["function"] = true, ["do"] = true, ["then"] = true, ["repeat"] = true }

--- `elseif … then` continues a block that is already open; `repeat` ends in `until`.
local function words_of(line)
  local words = {}
  for word in without_text(line):gmatch("[%a_][%w_]*") do
    words[#words + 1] = word
  end
  return words
end

local function check(path)
  local open, number, bad, count = {}, 0, 0, 0
  for line in io.lines(path) do
    number = number + 1
    local is_elseif = false
    for _, word in ipairs(words_of(line)) do
      is_elseif = is_elseif or word == "elseif"
      if word == "then" and is_elseif then
        is_elseif = false
      elseif OPENS[word] then
        open[#open + 1] = { word = word, line = number, text = line }
      elseif word == "end" or word == "until" then
        local block = assert(table.remove(open), path .. ":" .. number .. ": an end too many")
        local length = number - block.line + 1
        if block.word == "function" and not is_module(block.text) then
          count = count + 1
          if length > LIMIT then
            bad = bad + 1
            print(("%s:%d: %d lines: %s"):format(path, block.line, length, block.text))
          end
        end
      end
    end
  end
  assert(#open == 0, path .. ": a block is not closed")
  return bad, count
end

local bad, count = 0, 0
for _, path in ipairs(arg) do
  local more, seen = check(path)
  bad, count = bad + more, count + seen
end
print(("%d functions, %d over %d lines"):format(count, bad, LIMIT))
os.exit(bad == 0 and count > 0 and 0 or 1)
