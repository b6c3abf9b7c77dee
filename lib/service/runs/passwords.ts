/** Passwords that the answer of a run names: kept in memory alone, and for as long as a client may come back for its answer. */

export type Passwords = {
  keep(runId: string, password: string): void
  /** The answer of a run with its password, or without credentials once that is forgotten. */
  complete(runId: string, answer: Record<string, unknown>): Record<string, unknown>
}

type Kept = { password: string; keptAt: number }

export function createPasswords(keptMs = 24 * 60 * 60_000, now: () => number = Date.now): Passwords {
  const kept = new Map<string, Kept>()
  const forgetOld = () => {
    for (const [id, { keptAt }] of kept) if (now() - keptAt > keptMs) kept.delete(id)
  }
  return {
    keep(runId, password) {
      forgetOld()
      kept.set(runId, { password, keptAt: now() })
    },
    complete(runId, answer) {
      const { credentials, ...rest } = answer
      if (typeof credentials !== 'object' || credentials === null) return answer
      forgetOld()
      const password = kept.get(runId)?.password
      return password === undefined ? rest : { ...rest, credentials: { ...credentials, password } }
    },
  }
}
