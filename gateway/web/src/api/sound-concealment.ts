const Length = 7200; // 150 ms at 48,000 Hz
const Compared = 480;
const Shortest = 96; // of a tone of 500 Hz
const Longest = 960; // of 50 Hz
const Join = 48;

/**
 * What is heard while samples are missing, as in WebRTC's NetEQ: the period before `end` again and again, ever quieter, for 150 ms. A period is at least 2 ms long;
 * of a higher tone it is several. The channels are rings of samples.
 */
export function concealment(channels: readonly Float32Array[], end: number): Float32Array[] {
  const period = periodBefore(channels, end);
  return channels.map((ring) => repeated(ring, end, period));
}

/** The distance at which the samples before `end` are most like those before them. */
function periodBefore(channels: readonly Float32Array[], end: number): number {
  const mono = new Float32Array(Longest + Compared);
  for (let index = 0; index < mono.length; index += 1) {
    mono[index] = channels.reduce((sum, ring) => sum + sampleOf(ring, end - mono.length + index), 0);
  }
  let [best, least] = [Shortest, Infinity];
  for (let period = Shortest; period <= Longest; period += 1) {
    let difference = 0;
    for (let index = Longest; index < mono.length && difference < least; index += 1) {
      difference += (mono[index]! - mono[index - period]!) ** 2;
    }
    if (difference < least) {
      [best, least] = [period, difference];
    }
  }
  return best;
}

function repeated(ring: Float32Array, end: number, period: number): Float32Array {
  const samples = new Float32Array(Length);
  for (let index = 0; index < Length; index += 1) {
    const at = end - period + (index % period);
    const next = Math.max(0, 1 - (end - at) / Join); // the end of a period becomes the beginning of the next one
    const value = sampleOf(ring, at) * (1 - next) + sampleOf(ring, at - period) * next;
    samples[index] = value * (1 - index / Length);
  }
  return samples;
}

function sampleOf(ring: Float32Array, at: number): number {
  return ring[(at + ring.length) % ring.length]!;
}
