-- Runs suites in a fake emulator: those named on the command line, otherwise all of suites/. Prints a line for each test, and their counts in the
-- last line. Ends with 1 if a test failed, and if there was none to run.

local folder = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = folder .. "/?.lua;" .. folder .. "/suites/?.lua;" .. package.path

local function all_suites()
  local names = {}
  for name in io.popen(("ls '%s/suites'"):format(folder)):lines() do
    names[#names + 1] = name:match("^(.*)%.lua$")
  end
  return names
end

local harness = require("harness")
for _, suite in ipairs(#arg > 0 and arg or all_suites()) do
  harness.suite = suite
  require(suite)
end
print(("unit: %d passed, %d failed, %d skipped"):format(harness.passed, harness.failed, harness.skipped))
if harness.passed + harness.failed == 0 then
  io.stderr:write(("no test matches ONLY=%s\n"):format(harness.filter or ""))
  os.exit(1)
end
os.exit(harness.failed == 0 and 0 or 1)
