/** Signing out ends the session's row, so that a copy of the cookie becomes worthless. */
import 'server-only'
import { recordAudit } from '@/lib/portal/audit/record'
import { endSession } from './session'

/** Ends the session with this id; does nothing if it has already ended. */
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
