/** What a change of a schedule deletes after the next night, which has to be confirmed before. */
import 'server-only'
import { copies } from '@/lib/contract/operations/copies'
import { type Problem, problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import type { Person } from '@/lib/portal/identity/actor'
import { needsSecondPerson } from '@/lib/portal/spine/held/rule'
import type { NamedPlace } from './find-place'
import { placesOf, placeText, plannedSite } from './plans'
import type { Retention } from './retention'
import { findRepositoriesOf, findSitesOf, listSurplus, type PruningPlan, type StoredCopy } from './surplus'

type NewPlan = Retention & { targetId: string; excluded: boolean; timeZone: string }

const needsSecond =
  'Deleting copies needs a second person in your team, for which a schedule cannot wait. Choose numbers that keep them, or change the rule.'

/** typed: how many copies the member has confirmed to delete. Null if the schedule deletes no copy that the ones before it keep, or that number. */
export async function refuseDeletion(actor: Person, place: NamedPlace, plan: NewPlan, typed: string): Promise<Problem | null> {
  const { kind, id } = place
  const where = { serverId: kind === 'server' ? id : null, siteId: kind === 'site' ? id : null }
  const deleted = await forecast({ ...plan, ...where, teamId: actor.team.id, place: placeText(place) }, new Date())
  if (deleted.length === 0) return null
  const sentence = `With these numbers, ${formatDeletion(deleted, plan.timeZone)}`
  if (await needsSecondPerson(actor.team.id, copies.prune.id)) return problem('unsuitable', { sentence: `${sentence} ${needsSecond}` })
  if (typed.trim() === String(deleted.length)) return null
  return problem('invalid', { fields: { confirmCount: `${sentence} Type ${deleted.length} to confirm.` } })
}

/** The copies that go with the new schedule and stay with those that are stored. */
async function forecast(plan: PruningPlan, now: Date): Promise<StoredCopy[]> {
  const plans = await db().backupPlan.findMany({ where: { teamId: plan.teamId } })
  const deleted = await listAll([plan], plans, now)
  if (deleted.length === 0) return []
  const former = await listAll(
    plans.filter(({ targetId }) => targetId === plan.targetId),
    plans,
    now,
  )
  return without(deleted, former)
}

/** Why a schedule may not be removed: the one that applies then deletes copies that it keeps. Null if it deletes none. */
export async function refuseRemoval(actor: Person, { kind, id }: NamedPlace): Promise<Problem | null> {
  const now = new Date()
  const plans = await db().backupPlan.findMany({ where: { teamId: actor.team.id } })
  const removed = plans.find(({ place }) => place === placeText({ kind, id }))
  const places = kind === 'site' ? placesOf(await db().site.findUniqueOrThrow({ where: { id }, select: plannedSite })) : []
  const wider = plans.filter(({ place, siteId, serverId }) =>
    kind === 'site' ? siteId === null && places.includes(place) : kind === 'server' && siteId === null && serverId === null,
  )
  if (!removed || wider.length === 0) return null
  const rest = plans.filter((plan) => plan !== removed)
  const deleted = without(await listAll(wider, rest, now), await listAll([...wider, removed], plans, now))
  if (deleted.length === 0) return null
  const sentence = `Without this schedule, ${formatDeletion(deleted, removed.timeZone)} Set the numbers of the team’s or server’s schedule here first.`
  return problem('unsuitable', { sentence })
}

const without = (copies: readonly StoredCopy[], others: readonly StoredCopy[]): StoredCopy[] => {
  const ids = new Set(others.map(({ id }) => id))
  return copies.filter(({ id }) => !ids.has(id))
}

/** What these schedules delete, of all those of the team. */
async function listAll(some: readonly PruningPlan[], all: readonly PruningPlan[], now: Date): Promise<StoredCopy[]> {
  const found: StoredCopy[] = []
  for (const plan of some.filter(({ excluded }) => !excluded)) {
    const [sites, repositories] = await Promise.all([findSitesOf(plan, all), findRepositoriesOf(plan)])
    for (const repository of repositories) found.push(...(await listSurplus(plan, sites, repository, now)))
  }
  return found
}

/** "12 copies of 3 sites are deleted after the next night; the oldest is of 3 May 2026." */
function formatDeletion(deleted: readonly StoredCopy[], timeZone: string): string {
  const oldest = new Date(Math.min(...deleted.map(({ startedAt }) => startedAt.getTime())))
  const day = oldest.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone })
  const count = (some: readonly StoredCopy[]) => new Set(some.map(({ siteId }) => siteId)).size
  const [sites, servers] = [count(deleted.filter(({ domain }) => domain !== '')), count(deleted.filter(({ domain }) => domain === ''))]
  const copied = deleted.length === 1 ? 'one copy' : `${deleted.length} copies`
  const of = [
    ...(sites === 0 ? [] : [sites === 1 ? 'one site' : `${sites} sites`]),
    ...(servers === 0 ? [] : [servers === 1 ? 'one server' : `${servers} servers`]),
  ].join(' and ')
  return `${copied} of ${of} ${deleted.length === 1 ? 'is' : 'are'} deleted after the next night; the oldest is of ${day}.`
}
