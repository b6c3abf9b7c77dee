/** Whether a connection answers, as far as is known without making a page wait for it. */
import 'server-only'
import type { Problem } from '@/lib/contract/problem'
import { processState } from '@/lib/portal/base/process-state'
import { refreshServers } from '@/lib/portal/subjects/servers/listing'
import type { Connection } from '@/prisma/generated/portal/client'

type Known = { askedAt: number; problem: Problem | null; asking: Promise<void> }

const knownProblems = processState('known problems', () => new Map<string, Known>())

const askEveryMs = 15_000

/**
 * What asking the connection for its servers came to last. It is asked at most every 15 s; an answer that takes longer
 * than `patienceMs` is there for the next who wants to know.
 */
export async function findKnownProblem(connection: Connection, patienceMs: number): Promise<Problem | null> {
  const known = knownProblems().get(connection.id) ?? { askedAt: 0, problem: null, asking: Promise.resolve() }
  knownProblems().set(connection.id, known)
  // Either way round: the clock may have been set back.
  if (Math.abs(Date.now() - known.askedAt) > askEveryMs) {
    known.askedAt = Date.now()
    known.asking = refreshServers(connection).then(
      (problem) => {
        known.problem = problem
      },
      () => undefined,
    )
  }
  await Promise.race([known.asking, new Promise((resolve) => setTimeout(resolve, patienceMs).unref())])
  return known.problem
}
