import * as agents from './agents.mjs';
import * as connection from './connection.mjs';
import * as debug from './debug.mjs';
import * as dialogs from './dialogs.mjs';
import * as emulators from './emulators.mjs';
import * as fleet from './fleet.mjs';
import * as guests from './guests.mjs';
import { layout } from './layout.mjs';
import * as machine from './machine.mjs';
import * as memory from './memory.mjs';
import * as overlay from './overlay.mjs';
import * as play from './play.mjs';
import * as recordings from './recordings.mjs';
import * as traffic from './traffic.mjs';
import * as values from './values.mjs';
import * as video from './video.mjs';

/** All cases, by the name that scripts/tests/test_web.py uses. */
export const cases = { ...agents, ...connection, ...debug, ...dialogs, ...emulators, ...fleet, ...guests, layout, ...machine, ...memory, ...overlay, ...play, ...recordings, ...traffic, ...values, ...video };
