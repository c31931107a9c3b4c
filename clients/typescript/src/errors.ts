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
