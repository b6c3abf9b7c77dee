/** Whether a connection works, as far as is known without making a page wait for it. */
import 'server-only'
import type { Problem } from '@/lib/contract/problem'
import { processState } from '@/lib/portal/base/process-state'
import { refreshServers } from '@/lib/portal/subjects/servers/listing'
import type { Connection } from '@/prisma/generated/portal/client'

type Known = { askedAt: number; problem: Problem | null; asking: Promise<void> }

const knownProblems = processState('known problems', () => new Map<string, Known>())

const askEveryMs = 15_000

/**
 * The result of the last listing through the connection. Lists at most every 15 s; a result that takes longer than `patienceMs` is
 * available to the next caller.
 */
export async function findKnownProblem(connection: Connection, patienceMs: number): Promise<Problem | null> {
  const known = knownProblems().get(connection.id) ?? { askedAt: 0, problem: null, asking: Promise.resolve() }
  knownProblems().set(connection.id, known)
  // Absolute difference, because the clock may have been set back.
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
