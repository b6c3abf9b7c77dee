/** People with sessions and connections in a test's portal database. */
import { randomBytes } from 'node:crypto'
import { db } from '@/lib/portal/base/db'
import { type Person as Actor, type Role, recheckActor } from '@/lib/portal/identity/actor'
import { draftConnection, keepConnection } from '@/lib/portal/subjects/connections/create'
import { giveEverything } from './everything'
import type { Upstream } from './upstream/upstream'

const newId = () => randomBytes(16).toString('base64url')

export type TestTeam = {
  id: string
  /** A person of this team, signed in. */
  join(role: Role): Promise<Actor>
  /** A connection to a test upstream: the team's, or one person's. Gives its id. */
  connect(upstream: Pick<Upstream, 'origin' | 'key'>, options?: { ownerId?: string; label?: string }): Promise<string>
}

let newestMs = 0

/** Makes a team in the open portal database. Each is newer than the one before, even within one millisecond. */
export async function createTeam(name = 'Team'): Promise<TestTeam> {
  newestMs = Math.max(Date.now(), newestMs + 1)
  const team = await db().team.create({ data: { id: newId(), name, createdAt: new Date(newestMs) } })
  return {
    id: team.id,
    async join(role) {
      const now = new Date()
      const userId = newId()
      const email = `${userId.toLowerCase()}@example.org`
      await db().user.create({
        data: {
          id: userId,
          email,
          name: `The ${role}`,
          passwordHash: 'x',
          memberships: { create: { teamId: team.id, role, ...giveEverything(role) } },
        },
      })
      const times = { seenAt: now, stepUpAt: now, expiresAt: new Date(now.getTime() + 3_600_000) }
      const session = await db().session.create({
        data: { id: newId(), sidHash: newId(), userId, teamId: team.id, ...times, userAgent: '', peer: '' },
      })
      const actor = await recheckActor(session.id)
      if (!actor) throw new Error('The new session does not stand.')
      return actor
    },
    async connect({ origin, key }, { ownerId, label = 'Test service' } = {}) {
      const draft = await draftConnection({
        teamId: team.id,
        ownerId: ownerId ?? null,
        label,
        kind: 'foreign',
        origin,
        basePath: '',
        key,
      })
      await keepConnection(draft)
      return draft.id
    },
  }
}
