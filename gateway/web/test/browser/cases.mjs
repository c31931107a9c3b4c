import * as connection from './connection.mjs';
import * as emulators from './emulators.mjs';
import * as measure from './measure.mjs';
import * as memory from './memory.mjs';
import * as overlay from './overlay.mjs';
import * as play from './play.mjs';
import * as recordings from './recordings.mjs';
import * as values from './values.mjs';

/** All cases, by the name that scripts/tests/test_web.py uses. */
export const cases = { ...connection, ...emulators, ...measure, ...memory, ...overlay, ...play, ...recordings, ...values };
