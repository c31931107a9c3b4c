import type { components } from './schema';

export type Problem = Pick<components['schemas']['Problem'], 'status' | 'detail'> & Partial<components['schemas']['Problem']>;

/** A request that failed: the gateway's problem, or no answer at all (status 0). */
export class RequestError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail);
  }

  /** The kind of failure, such as `leased`; empty when there was no answer. */
  get kind(): string {
    return kindOf(this.problem);
  }

  get status(): number {
    return this.problem.status;
  }
}

/** The last part of a problem's type. */
function kindOf(problem: Problem): string {
  return problem.type?.split(':').at(-1) ?? '';
}
