// k6 scenarios. All rates are open models: requests start at their scheduled time, however long the answers take.

const maxUsers = 3000;

// `rate` requests a second for `duration` seconds. Half a second's worth of virtual users (at most 400) exists from the beginning, because k6 counts
// requests as dropped while it creates more. Three seconds' worth is enough: the gateway's timeout then frees the first ones.
export function arrivals(rate, duration, start, call) {
  return {
    executor: 'constant-arrival-rate',
    rate,
    timeUnit: '1s',
    duration: `${duration}s`,
    startTime: `${start}s`,
    gracefulStop: '12s',
    preAllocatedVUs: Math.min(Math.ceil(rate / 2) + 5, 400),
    maxVUs: Math.min(rate * 3 + 5, maxUsers),
    exec: call,
  };
}

// `clients` virtual users that start at the same instant; each sends `times` requests one after the other.
export function burst(clients, times, duration, start, call) {
  return { executor: 'per-vu-iterations', vus: clients, iterations: times, startTime: `${start}s`, maxDuration: `${duration}s`, gracefulStop: '12s', exec: call };
}
