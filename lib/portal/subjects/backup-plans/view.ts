/** The schedule of copies that applies to a team, server or site, for its page. */
import 'server-only'
import { may } from '@/lib/portal/access/roles'
import { db } from '@/lib/portal/base/db'
import type { Actor, Person } from '@/lib/portal/identity/actor'
import { isPruned } from '../backup-targets/address'
import { listUsableTargets, type TargetChoice } from '../backup-targets/find'
import { findPlanTarget, refusePlace } from './find-place'
import { nextCopyAt } from './next-copies'
import { nextNight } from './nights'
import { type PlanPlace, placeOf, placesOf, placeText, plannedSite, takesServers, targetRemoved } from './plans'
import { type Retention, usualRetention } from './retention'

/** from: where it was set. target: its name; null if it was removed, or is another member's. hour: 0 to 23. nextAt, setAt: ISO. pausedBecause: a sentence, or empty. */
export type PlanView = {
  from: PlanPlace['kind']
  excluded: boolean
  targetId: string | null
  target: string | null
  hour: number
  timeZone: string
  limitKb: number | null
  /** Whether servers themselves are copied there too, not only sites. */
  takesServers: boolean
  /** Null if old copies are not deleted at its target. */
  retention: Retention | null
  setBy: string | null
  setAt: string
  nextAt: string | null
  pausedBecause: string
}

/** plan: null if none applies. targets: those that the reader can choose. refusal: why they may change nothing, as a sentence; null if they may. */
export type PlaceSchedule = {
  place: PlanPlace
  plan: PlanView | null
  targets: readonly TargetChoice[]
  refusal: string | null
  usualRetention: Retention
}

/** The reader sees the place; null if they see no backup targets. */
export async function readSchedule(actor: Actor, place: PlanPlace, now = new Date()): Promise<PlaceSchedule | null> {
  if (actor.kind !== 'user' || !may(actor.role, 'teamConnections', 'read')) return null
  const [plan, refusal] = await Promise.all([findPlan(actor.team.id, place), refusePlace(actor, place)])
  const next = place.kind === 'site' ? ((await nextCopyAt({ id: place.id }, now)).get(place.id) ?? null) : plan && nextNight(plan, now)
  return {
    place,
    plan: plan && toView(actor, plan, next),
    refusal,
    targets: refusal === null ? await listTargets(actor, place) : [],
    usualRetention,
  }
}

type Found = NonNullable<Awaited<ReturnType<typeof findPlan>>>

/** The one that applies. */
async function findPlan(teamId: string, place: PlanPlace) {
  const site = place.kind === 'site' ? await db().site.findFirst({ where: { id: place.id, teamId }, select: plannedSite }) : null
  const wider = place.kind === 'server' ? [placeText(place)] : []
  const places = site ? placesOf(site) : [...wider, placeText({ kind: 'team', id: teamId })]
  const include = { target: true, setBy: { select: { name: true } } } as const
  const plans = await db().backupPlan.findMany({ where: { teamId, place: { in: places } }, include })
  return places.flatMap((each) => plans.find((plan) => plan.place === each) ?? [])[0] ?? null
}

function toView({ user }: Person, { target, setBy, ...plan }: Found, next: Date | null): PlanView {
  const { excluded, hour, timeZone, limitKb, keepDaily, keepWeekly, keepMonthly, pausedBecause, setAt } = plan
  const shown = target && (target.ownerId === null || target.ownerId === user.id) ? target : null
  const works = !excluded && target !== null && pausedBecause === ''
  return {
    from: placeOf(plan).kind,
    excluded,
    targetId: shown?.id ?? null,
    target: shown?.label ?? null,
    hour,
    timeZone,
    limitKb,
    takesServers: takesServers(target),
    retention: target && isPruned(target) ? { keepDaily, keepWeekly, keepMonthly } : null,
    setBy: setBy?.name ?? null,
    setAt: setAt.toISOString(),
    nextAt: works ? (next?.toISOString() ?? null) : null,
    pausedBecause: !excluded && target === null ? targetRemoved : pausedBecause,
  }
}

async function listTargets(actor: Person, place: PlanPlace): Promise<TargetChoice[]> {
  const rows = await listUsableTargets(actor, { working: false })
  const usable = await Promise.all(rows.map(async ({ id }) => typeof (await findPlanTarget(actor, place, id)) !== 'string'))
  return rows.filter((_, index) => usable[index])
}
