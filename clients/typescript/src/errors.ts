/** The JSON of a failure (RFC 9457). */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code?: string | null;
  mayHaveRun?: boolean;
  next?: string | null;
}

/** What a call rejects with. `message` and `detail` are one sentence that says what is wrong and what to change. */
export class BridgeError extends Error {
  /** Which kind of failure, such as `leased`; `unreachable` and `timeout` are no responses. */
  override readonly name: string;
  /** The HTTP status, 0 without a response. */
  readonly status: number;
  /** The script's own code when it refused, such as `bad-address`. */
  readonly code: string | undefined;
  /** Whether the request may have had its effect. */
  readonly mayHaveRun: boolean;
  /** The operation that helps. */
  readonly next: string | undefined;

  constructor(problem: Problem, /** Seconds after which to try again, where the gateway says so. */ readonly retryAfter?: number, options?: ErrorOptions) {
    super(problem.detail, options);
    this.name = problem.type.split(':').at(-1) ?? '';
    this.status = problem.status;
    this.code = problem.code ?? undefined;
    this.mayHaveRun = problem.mayHaveRun ?? false;
    this.next = problem.next ?? undefined;
  }

  /** What is wrong and what to change. */
  get detail(): string {
    return this.message;
  }
}

/** A failure without a response of the gateway. */
export function failure(name: 'unreachable' | 'timeout' | 'failed', detail: string, mayHaveRun = false, cause?: unknown): BridgeError {
  return new BridgeError({ type: name, title: name, status: 0, detail, mayHaveRun }, undefined, { cause });
}

/** Refuses options that there are not, such as misspelled ones: a compiler of TypeScript finds them, JavaScript would ignore them. */
export function check(what: string, options: object, known: readonly string[]): void {
  const wrong = Object.entries(options).find(([name, value]) => value !== undefined && !known.includes(name))?.[0];
  if (wrong === undefined) {
    return;
  }
  const nearest = known.find((name) => distance(wrong, name) <= 2);
  const next = nearest ? `did you mean "${nearest}"?` : known.length > 0 ? `it has ${known.join(', ')}.` : 'it has none.';
  throw new TypeError(`${what} has no option "${wrong}"; ${next}`);
}

/** How many letters one has to change, add or leave out to get the other (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (let at = 0; at < other.length; at++) {
      next.push(Math.min(row[at + 1]! + 1, next[at]! + 1, row[at]! + (letter === other[at] ? 0 : 1)));
    }
    row = next;
  }
  return row[other.length]!;
}
