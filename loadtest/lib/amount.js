// How much: rates as arrivals, whatever the answers take (an open model).

const highestRate = 10000;
const mostCallers = 3000;

// The steps of the original load test.
const original = [1, 5, 10, 20, 30, 40, 50, 60, 80, 100, 150, 200, 250, 300, 330, 340, 350, 400];
const few = [1, 10, 50, 100, 200, 300, 400];
const beyond = [800, 1600, 3200, 6400, 10000];

export const highestOriginal = original[original.length - 1];

// Requests a second of each step: RATES=100,300, or a few with QUICK=1, or the original's and then doubling until it breaks.
export function rates() {
  return __ENV.RATES ? list('RATES', highestRate) : __ENV.QUICK ? few : [...original, ...beyond];
}

// How long a step takes: DURATION=10, or 3, or with FULL=1 the original's 30 s.
export function seconds(short = 3, long = 30) {
  return __ENV.DURATION ? whole('DURATION', __ENV.DURATION, 86400) : __ENV.FULL ? long : short;
}

export function setting(name, otherwise, most) {
  return __ENV[name] ? whole(name, __ENV[name], most) : otherwise;
}

export function list(name, most, otherwise) {
  return __ENV[name] ? __ENV[name].split(',').map((text) => whole(name, text.trim(), most)) : otherwise;
}

export function whole(name, text, most) {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > most) {
    throw `${name} wants whole numbers from 1 to ${most}, not ${text}`; // text and no Error: k6 then prints only the sentence
  }
  return value;
}

// So many arrivals a second for so long. Half a second's worth of callers (at most 400) waits from the beginning, since making one takes time that
// would be counted as dropped; three seconds' worth is the gateway's deadline, after which the first are free again.
export function arrivals(rate, duration, start, call) {
  return {
    executor: 'constant-arrival-rate',
    rate,
    timeUnit: '1s',
    duration: `${duration}s`,
    startTime: `${start}s`,
    gracefulStop: '12s',
    preAllocatedVUs: Math.min(Math.ceil(rate / 2) + 5, 400),
    maxVUs: Math.min(rate * 3 + 5, mostCallers),
    exec: call,
  };
}

// So many callers in the same instant, each asking so often, one after the other.
export function atOnce(callers, times, duration, start, call) {
  return { executor: 'per-vu-iterations', vus: callers, iterations: times, startTime: `${start}s`, maxDuration: `${duration}s`, gracefulStop: '12s', exec: call };
}
