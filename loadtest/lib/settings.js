// Settings from environment variables. All of them are listed in loadtest/README.md.

const maxRate = 10000;

// The steps of the original load test, in requests a second.
const original = [1, 5, 10, 20, 30, 40, 50, 60, 80, 100, 150, 200, 250, 300, 330, 340, 350, 400];
const quick = [1, 10, 50, 100, 200, 300, 400];
const beyond = [800, 1600, 3200, 6400, 10000];

export const highestOriginal = original[original.length - 1];

// Requests a second of each step: RATES, or fewer steps with QUICK=1, or the steps of the original and then doubled rates.
export function rates() {
  return __ENV.RATES ? list('RATES', maxRate) : __ENV.QUICK ? quick : [...original, ...beyond];
}

// Seconds of a step: DURATION, or `short`, or `long` with FULL=1.
export function seconds(short = 3, long = 30) {
  return __ENV.DURATION ? integer('DURATION', __ENV.DURATION, 86400) : __ENV.FULL ? long : short;
}

export function setting(name, defaultValue, max) {
  return __ENV[name] ? integer(name, __ENV[name], max) : defaultValue;
}

export function list(name, max, defaultValue) {
  return __ENV[name] ? __ENV[name].split(',').map((text) => integer(name, text.trim(), max)) : defaultValue;
}

function integer(name, text, max) {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > max) {
    throw `${name} must be an integer from 1 to ${max}, not "${text}"`; // a string instead of an Error: k6 then prints no stack trace
  }
  return value;
}
