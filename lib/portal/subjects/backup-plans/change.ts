/** Sets and removes schedules of copies, of the team, a server or a site. docs/decisions/089-copies-elsewhere.md */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import type { AuditDetail } from '@/lib/portal/audit/detail'
import type { OwnAction } from '@/lib/portal/audit/own-actions'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person } from '@/lib/portal/identity/actor'
import { isTimeZone } from '@/lib/portal/identity/preferences'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import { runRecorded } from '@/lib/portal/spine/recorded'
import { refuseFields } from '@/lib/portal/spine/refuse-fields'
import { formatHour } from '@/lib/text/minute'
import { isPruned } from '../backup-targets/address'
import { findPlace, findPlanTarget, type NamedPlace } from './find-place'
import { refuseDeletion, refuseRemoval } from './forecast'
import { placeText } from './plans'
import { formatRetention, mostRetention, type Retention, readRetention, refuseRetention, usualRetention } from './retention'

/**
 * Fields: place ("team", "server" or "site") and placeId; targetId, hour (0 to 23), timeZone, limitKb (KB/s, or empty), keepDaily, keepWeekly and
 * keepMonthly (as retention.ts has them, or empty for the usual; without effect where old copies are not deleted: then the most); confirmCount: how many copies that deletes. Replaces
 * the one before.
 */
export async function setBackupPlan({ actor, requestId, field }: OwnInput): Promise<Outcome<{ name: string }>> {
  const action = 'backupPlan.set'
  const found = await findPlace(actor, action, field('place'), field('placeId'))
  if (!found.ok) return found
  const target = await findPlanTarget(actor, found.data, field('targetId'))
  const [hour, timeZone, limit] = [Number(field('hour')), field('timeZone'), field('limitKb').trim()]
  const refused = refuseFields({
    targetId: typeof target === 'string' ? target : null,
    hour: /^\d{1,2}$/.test(field('hour')) && hour < 24 ? null : 'Choose an hour.',
    timeZone: isTimeZone(timeZone) ? null : 'Choose a time zone.',
    limitKb: /^(|[1-9]\d{0,6})$/.test(limit) ? null : 'Enter a number of KB per second, or leave it empty.',
    ...refuseRetention(field),
  })
  if (refused || typeof target === 'string') return { ok: false, problem: refused ?? problem('invalid') }
  const keep = isPruned(target) ? readRetention(field) : mostRetention
  const about = `every night at ${formatHour(hour)} (${timeZone.replaceAll('_', ' ')}), keeping ${isPruned(target) ? formatRetention(keep) : 'all copies'}`
  const plan = { targetId: target.id, excluded: false, hour, timeZone, limitKb: limit === '' ? null : Number(limit), ...keep }
  const unconfirmed = await refuseDeletion(actor, found.data, plan, field('confirmCount'))
  if (unconfirmed) return { ok: false, problem: unconfirmed }
  return store(actor, action, requestId, found.data, { detail: { label: target.label, about }, plan })
}

/** Fields: place ("server" or "site") and placeId. Nothing is copied there, whatever the schedule of the server or the team says. */
export async function excludeFromPlans({ actor, requestId, field }: OwnInput): Promise<Outcome<{ name: string }>> {
  const action = 'backupPlan.exclude'
  const found = await findPlace(actor, action, field('place'), field('placeId'))
  if (!found.ok) return found
  if (found.data.kind === 'team') return { ok: false, problem: problem('invalid') }
  const plan = { targetId: null, excluded: true, hour: 0, timeZone: 'UTC', limitKb: null, ...usualRetention }
  return store(actor, action, requestId, found.data, { detail: {}, plan })
}

/** Fields: place and placeId. From then on, the schedule of the server or the team applies. Refused if that deletes copies which this one keeps. */
export async function removeBackupPlan({ actor, requestId, field }: OwnInput): Promise<Outcome<{ name: string }>> {
  const action = 'backupPlan.remove'
  const found = await findPlace(actor, action, field('place'), field('placeId'))
  if (!found.ok) return found
  const refused = await refuseRemoval(actor, found.data)
  if (refused) return { ok: false, problem: refused }
  return record(actor, action, requestId, found.data, {}, async () => {
    const { count } = await db().backupPlan.deleteMany({ where: { place: placeText(found.data), teamId: actor.team.id } })
    return count > 0
  })
}

type Set = {
  detail: AuditDetail
  plan: Retention & { targetId: string | null; excluded: boolean; hour: number; timeZone: string; limitKb: number | null }
}

/** The first night is the next one: a copy can be made by hand before. */
function store(actor: Person, action: OwnAction, requestId: string, place: NamedPlace, { detail, plan }: Set) {
  return record(actor, action, requestId, place, detail, async () => {
    const { kind, id } = place
    const data = { ...plan, setById: actor.user.id, setAt: new Date(), night: '', pausedBecause: '' }
    const where = { serverId: kind === 'server' ? id : null, siteId: kind === 'site' ? id : null }
    const create = { id: createOpaqueId(), teamId: actor.team.id, place: placeText(place), ...where, ...data }
    await db().backupPlan.upsert({ where: { place: create.place }, create, update: data })
    return true
  })
}

/** run: false if what it changes is not there any more. */
function record(
  actor: Person,
  action: OwnAction,
  requestId: string,
  { kind, id, name }: NamedPlace,
  detail: AuditDetail,
  run: () => Promise<boolean>,
): Promise<Outcome<{ name: string }>> {
  const needs = { subject: kind === 'team' ? 'teamConnections' : 'servers', effect: 'change' } as const
  return runRecorded({ actor, action, requestId, object: { kind, id }, needs, detail: { name, ...detail } }, async () =>
    (await run()) ? { ok: true, data: { name } } : { ok: false, problem: problem('changed_meanwhile') },
  )
}
