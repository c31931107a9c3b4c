#!/bin/bash
# The script in the real window: mgba-qt on a screen of its own (Xvfb), worked by hand as a person would (xdotool), asked over the wire,
# and through the gateway.
#
#   lua/test-gui/run.sh            everything
#   lua/test-gui/run.sh pause gb   only these groups (run.sh --list names them)
#
#   GUI_SECONDS=300   the whole run may take that long; what was not reached by then has failed
#   MGBA_QT=FILE      another mgba-qt
#
# One line a check, the sum as the last line; exit code 1 when something failed. .run/gui/ (gui-2 while another run has that) keeps a picture
# of the screen for each failure, and what mgba-qt said.
set -u
cd "$(dirname "$0")" || exit 1

missing=()
for tool in Xvfb openbox xdotool import python3; do
  command -v "$tool" > /dev/null || missing+=("$tool")
done
qt=${MGBA_QT:-$(PATH=$PATH:/usr/games command -v mgba-qt)} # Debian's /usr/games is not on root's PATH
[ -x "$qt" ] || missing+=(mgba-qt)
if [ ${#missing[@]} -gt 0 ]; then
  echo "not ok - ${missing[*]} missing; on Debian: apt-get install mgba-qt xvfb openbox xdotool imagemagick python3"
  echo "gui: 0 passed, 1 failed, 0 skipped"
  exit 1
fi

# Here, since a first build takes longer than the cases may. Where it fails the cases say so.
case " ${*:-gateway} " in
  *" gateway "* | *" video "*) ../../scripts/install gateway && ../../scripts/build gateway ;;
esac
MGBA_QT=$qt exec python3 -B tests.py "$@"
