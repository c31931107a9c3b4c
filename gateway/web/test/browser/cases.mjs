import * as connection from './connection.mjs';
import * as play from './play.mjs';

/** All cases, by the name that scripts/tests/test_web.py uses. */
export const cases = { ...connection, ...play };
