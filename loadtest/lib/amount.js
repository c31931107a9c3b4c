// How much: rates as arrivals, whatever the answers take (an open model).

const highestRate = 10000;

// The steps of the original load test.
const original = [1, 5, 10, 20, 30, 40, 50, 60, 80, 100, 150, 200, 250, 300, 330, 340, 350, 400];
const few = [1, 10, 50, 100, 200, 300, 400];

// Requests a second of each step: RATES=100,300, or a few with QUICK=1, or the original's.
export function rates() {
  return __ENV.RATES ? __ENV.RATES.split(',').map((text) => whole('RATES', text.trim(), highestRate)) : __ENV.QUICK ? few : original;
}

// How long a step takes: SECONDS=10, or 3 with QUICK=1, or the original's 30.
export function seconds() {
  return __ENV.SECONDS ? whole('SECONDS', __ENV.SECONDS, 86400) : __ENV.QUICK ? 3 : 30;
}

export function whole(name, text, most) {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > most) {
    throw `${name} wants whole numbers from 1 to ${most}, not ${text}`; // text and no Error: k6 then prints only the sentence
  }
  return value;
}

// One step: so many arrivals a second for so long. Half a second's worth of callers (at most 1,000) waits from the beginning, since making one takes time that
// would be counted as dropped; three seconds' worth is the gateway's deadline, after which the first are free again.
export function arrivals(rate, duration, start, call) {
  return {
    executor: 'constant-arrival-rate',
    rate,
    timeUnit: '1s',
    duration: `${duration}s`,
    startTime: `${start}s`,
    gracefulStop: '12s',
    preAllocatedVUs: Math.min(Math.ceil(rate / 2) + 5, 1000),
    maxVUs: rate * 3 + 5,
    exec: call,
  };
}
