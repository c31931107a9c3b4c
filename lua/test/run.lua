-- Runs the suites named on the command line in a fake emulator; prints a line for each test, and their counts in the last line.

local folder = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = folder .. "/?.lua;" .. folder .. "/suites/?.lua;" .. package.path

local harness = require("harness")
for _, suite in ipairs(arg) do
  harness.suite = suite
  require(suite)
end
print(("unit: %d passed, %d failed, %d skipped"):format(harness.passed, harness.failed, harness.skipped))
os.exit(harness.failed == 0 and 0 or 1)
