/** A transaction that a refusal undoes, and the error of a value that must be unique. */
import 'server-only'
import type { Outcome, Problem } from '@/lib/contract/problem'
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
 * that error is thrown like any other. A `work` that decides by what it reads writes first: that takes SQLite's write lock, so what it
 * reads afterwards is current.
 */
export async function inTransaction<T>(
  work: (tx: Prisma.TransactionClient) => Promise<Outcome<T>>,
  { taken }: { taken?: Problem } = {},
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
    throw error
  }
}

/** Whether Prisma refused a write because a row with one of its unique values exists (P2002). */
export const isTaken = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'P2002'
