export * from './emulator.js';
export { BridgeError, type Problem } from './errors.js';
export type { GameEvent } from './events.js';
export * from './operations.js';
