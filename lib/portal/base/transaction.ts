/** A transaction that a refusal undoes, and the errors of rows that conflict with others. */
import 'server-only'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import type { Prisma } from '@/prisma/generated/portal/client'
import { db } from './db'

/** Carries a refusal out of the transaction, because only a thrown error rolls it back. */
class Refused extends Error {
  constructor(readonly problem: Problem) {
    super(problem.code)
  }
}

/**
 * Keeps what `work` wrote only if it returns a success. `taken`: the problem if a row with one of its unique values exists; without it,
 * that error is thrown like any other. `gone`: the problem if what a new row refers to was removed since it was read. A `work` that decides by what it reads writes first: that takes SQLite's write lock, so what it
 * reads afterwards is current.
 */
export async function inTransaction<T>(
  work: (tx: Prisma.TransactionClient) => Promise<Outcome<T>>,
  { taken, gone = problem('changed_meanwhile') }: { taken?: Problem; gone?: Problem } = {},
): Promise<Outcome<T>> {
  try {
    return await db().$transaction(async (tx) => {
      const outcome = await work(tx)
      if (!outcome.ok) throw new Refused(outcome.problem)
      return outcome
    })
  } catch (error) {
    if (error instanceof Refused) return { ok: false, problem: error.problem }
    if (taken && isTaken(error)) return { ok: false, problem: taken }
    if (isGone(error)) return { ok: false, problem: gone }
    throw error
  }
}

/** Whether Prisma refused a write because a row with one of its unique values exists (P2002). */
export const isTaken = (error: unknown): boolean => hasCode(error, 'P2002')

/** Whether a write was refused because a row that it refers to does not exist (P2003; of raw SQL P2010 with the code of SQLite or PostgreSQL). */
export const isGone = (error: unknown): boolean =>
  hasCode(error, 'P2003') || (hasCode(error, 'P2010') && /\bCode: `(787|23503)`/.test(String(error)))

const hasCode = (error: unknown, code: string): boolean => error instanceof Error && 'code' in error && error.code === code
