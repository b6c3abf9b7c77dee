/** Failures of the service: what the caller receives, and what is logged. Neither contains a value or a secret. */
import { type Problem, problem } from '@/lib/contract/problem'
import { MachineFailure } from './machines/machine'

/** Ends a call with a problem; thrown by routes. */
export class Refused extends Error {
  readonly problem: Problem
  constructor(refusal: Problem) {
    super(refusal.code)
    this.name = 'Refused'
    this.problem = refusal
  }
}

/** The problem the caller receives. Null for an unexpected failure, which must be logged and is answered as `internal`. */
export function findProblem(error: unknown): Problem | null {
  return error instanceof Refused || error instanceof MachineFailure ? error.problem : null
}

/** The parts of a failure that are safe to log: names and locations. Messages may quote values, so they are left out. */
export function describeFailure(error: unknown): { failure: string; code?: string; at?: string } {
  if (!(error instanceof Error)) return { failure: typeof error }
  const known = findProblem(error)
  if (known) return { failure: error.name, code: known.code }
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
  const places = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return {
    failure: error.name,
    ...code,
    at: places
      .slice(0, 4)
      .map((line) => line.trim())
      .join(' < '),
  }
}

/** The problem to answer for any failure. */
export function problemOf(error: unknown): Problem {
  return findProblem(error) ?? problem('internal')
}
