/** After how long without activity members are signed out: a rule of the team, which owners change. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { recordDenied } from '@/lib/portal/access/denied'
import { db } from '@/lib/portal/base/db'
import type { Person } from '@/lib/portal/identity/actor'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import { runRecorded } from '@/lib/portal/spine/recorded'
import { forbid, ownersOnly } from './sign-in-rules'

/** The times that a team can choose from, in minutes. A session lasts 12 hours at most. */
export const idleChoices: readonly number[] = [5, 15, 30, 60, 120, 240, 480]

/** In minutes, for the page Team. */
export async function readIdleMinutes(actor: Person): Promise<number> {
  const team = await db().team.findUniqueOrThrow({ where: { id: actor.team.id }, select: { idleMinutes: true } })
  return team.idleMinutes
}

/** Fields: minutes, one of the choices, and password if the sign-in is not recent. Counts at once, for open sessions too. */
export async function setIdleSignOut({ actor, requestId, field, stepUp }: OwnInput): Promise<Outcome<null>> {
  const minutes = idleChoices.find((choice) => String(choice) === field('minutes'))
  if (minutes === undefined) return { ok: false, problem: problem('invalid', { fields: { minutes: 'Choose one of these.' } }) }
  const action = 'team.setIdleSignOut'
  const object = { kind: 'team', id: actor.team.id } as const
  if (actor.role !== 'owner') {
    await recordDenied(actor, action, object, 'forbidden')
    return { ok: false, problem: forbid(ownersOnly) }
  }
  const unproven = await stepUp()
  if (unproven) return { ok: false, problem: unproven }
  const needs = { subject: 'team', effect: 'change' } as const
  return runRecorded({ actor, action, requestId, object, needs, detail: { count: minutes } }, async (now) => {
    if (now.role !== 'owner') return { ok: false, problem: forbid(ownersOnly) }
    await db().team.update({ where: { id: now.team.id }, data: { idleMinutes: minutes } })
    return { ok: true, data: null }
  })
}
