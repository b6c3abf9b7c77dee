/** Proving oneself once more: what cannot be taken back asks for the password unless it was given lately. */
import 'server-only'
import { type Problem, problem } from '@/lib/contract/problem'
import { recordAudit } from '../audit/record'
import { db } from '../db'
import { readDevice } from '../request/device'
import type { Actor } from './actor'
import { writeSid } from './cookie'
import { HashingBusy, verifyPassword } from './password'
import { renewSession } from './session'
import { countTry, forgiveTry } from './throttle'

const freshMs = 5 * 60_000

/**
 * Null when the person gave their password in the last 5 minutes, or `password` is right: the session then goes on under
 * a sid of its own. Otherwise a problem at the field `password`. Only in actions, since it may set the cookie.
 */
export async function stepUp(actor: Actor, password: string): Promise<Problem | null> {
  if (Date.now() - actor.stepUpAt.getTime() < freshMs) return null
  if (password === '') return refuse('It is a while since you signed in. Enter your password to show that it is you.')
  const { peer } = await readDevice()
  const wait = await countTry(actor.user.email, peer)
  if (wait) return wait
  try {
    const { passwordHash } = await db().user.findUniqueOrThrow({ where: { id: actor.user.id }, select: { passwordHash: true } })
    if (!(await verifyPassword(passwordHash, password))) {
      await recordStepUp(actor, 'failed')
      return refuse('This is not your password.')
    }
  } catch (error) {
    if (!(error instanceof HashingBusy)) throw error
    return problem('too_many', { sentence: 'Many people are signing in right now. Try again in a moment.' })
  }
  await forgiveTry(actor.user.email, peer)
  const sid = await renewSession(actor.sessionId)
  if (sid === null) return problem('signed_out')
  await writeSid(sid)
  await recordStepUp(actor, 'done')
  return null
}

const refuse = (reason: string): Problem => problem('invalid', { fields: { password: reason } })

function recordStepUp({ user, team, sessionId }: Actor, outcome: 'done' | 'failed'): Promise<void> {
  return recordAudit({
    teamId: team.id,
    actor: { kind: 'user', id: user.id, sessionId },
    action: 'session.stepUp',
    object: { kind: 'session', id: sessionId },
    stage: 'event',
    outcome,
  })
}
