/** Signing out: the session's row ends, so a copy of the cookie is worth nothing afterwards. */
import 'server-only'
import { recordAudit } from '@/lib/portal/audit/record'
import { endSession } from './session'

/** Ends the session behind a sid; one that has ended already is no error. */
export async function signOutSession(sid: string): Promise<void> {
  const ended = await endSession(sid)
  if (!ended) return
  await recordAudit({
    teamId: ended.teamId,
    actor: { kind: 'user', id: ended.userId, sessionId: ended.id },
    action: 'session.signOut',
    object: { kind: 'session', id: ended.id },
    stage: 'event',
    outcome: 'done',
  })
}
