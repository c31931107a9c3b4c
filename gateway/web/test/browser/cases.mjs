import * as connection from './connection.mjs';
import * as overlay from './overlay.mjs';
import * as play from './play.mjs';
import * as recordings from './recordings.mjs';

/** All cases, by the name that scripts/tests/test_web.py uses. */
export const cases = { ...connection, ...overlay, ...play, ...recordings };
