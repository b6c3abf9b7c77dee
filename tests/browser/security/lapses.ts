/** The ways not to be a member any more, or not to be signed in. */
import { db } from '@/lib/portal/base/db'
import type { Person } from './estate'

export const lapses: Record<string, (person: Person) => Promise<unknown>> = {
  revoked: ({ sessionId }) => db().session.update({ where: { id: sessionId }, data: { revokedAt: new Date() } }),
  'membership ended': ({ userId }) => db().membership.updateMany({ where: { userId }, data: { endsAt: new Date(Date.now() - 1000) } }),
  removed: ({ userId }) => db().membership.deleteMany({ where: { userId } }),
  disabled: ({ userId }) => db().user.update({ where: { id: userId }, data: { disabledAt: new Date() } }),
  'second factor missing': ({ sessionId }) => db().session.update({ where: { id: sessionId }, data: { awaits: 'secondFactor' } }),
  'second factor not set up': ({ sessionId }) => db().session.update({ where: { id: sessionId }, data: { awaits: 'secondFactorSetup' } }),
}
