#!/bin/bash
# The script in the real window: mgba-qt on a screen of its own (Xvfb), operated by xdotool, with clients on the wire and through the gateway.
#
#   lua/test-gui/run.sh                   everything
#   lua/test-gui/run.sh -k 'Pause or Gb'  only these tests; other pytest arguments work as well
#
#   GUI_SECONDS=300   limit of the whole run; tests that were not reached by then fail
#   MGBA_QT=FILE      another mgba-qt
#
# One line for each test, the sum as the last line. .run/gui/ keeps a picture of the screen for each failure, and the output of mgba-qt.
. "$(dirname "$0")/../../scripts/lib/common.sh"

# Here, because a first build takes longer than the tests may. If it fails, the tests report it.
if "$root/scripts/install" gateway python; then "$root/scripts/build" gateway || true; fi
exec "$root/scripts/pytest" gui "$root/lua/test-gui" "$@"
