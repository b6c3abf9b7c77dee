/** Finds the team, server or site for which a member wants to schedule copies, if they may make copies there. */
import 'server-only'
import { copies } from '@/lib/contract/operations/copies'
import { sites } from '@/lib/contract/operations/sites'
import { type Outcome, problem } from '@/lib/contract/problem'
import { decide, findGranted, findOffers } from '@/lib/portal/access/decide'
import { recordDenied } from '@/lib/portal/access/denied'
import { mayKeep } from '@/lib/portal/access/roles'
import { serversVisibleTo } from '@/lib/portal/access/visible'
import type { OwnAction } from '@/lib/portal/audit/own-actions'
import { db } from '@/lib/portal/base/db'
import { isOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person } from '@/lib/portal/identity/actor'
import type { BackupTarget } from '@/prisma/generated/portal/client'
import { findUsableTarget, formatKeeper, refuseSite } from '../backup-targets/find'
import type { PlanPlace } from './plans'

/** name: of the server or site; empty for the team. */
export type NamedPlace = PlanPlace & { name: string }

const notIncluded = 'Your access does not include copies of all sites here.'

/** Why a member may not schedule copies there, as a sentence; null if they may. The caller has checked that they see the place. */
export async function refusePlace(actor: Person, { kind, id }: PlanPlace): Promise<string | null> {
  if (kind === 'site') return (await findOffers(actor, { siteId: id }))(copies.make) ? null : notIncluded
  if (kind === 'server') return (await findGranted(actor, copies.make, 'server', [id])).has(id) ? null : notIncluded
  if (!mayKeep(actor.role, 'team')) return formatKeeper('team')
  return (await findOffers(actor))(copies.make) ? null : notIncluded
}

/** A place that the member does not see gives the same `not_found` as an unknown id. Logs refusals. */
export async function findPlace(actor: Person, action: OwnAction, kind: string, id: string): Promise<Outcome<NamedPlace>> {
  if (kind === 'site') {
    const decided = await decide(actor, copies.make, { siteId: id })
    if (!decided.ok) return decided
    return { ok: true, data: { kind, id, name: decided.data.name } }
  }
  const found = kind === 'team' ? ({ kind, id: actor.team.id, name: '' } as const) : await findServer(actor, kind, id)
  const refusal = found && (await refusePlace(actor, found))
  if (found && refusal === null) return { ok: true, data: found }
  const refused = refusal === null ? problem('not_found') : problem('forbidden', { sentence: refusal })
  await recordDenied(actor, action, { kind: kind === 'server' ? 'server' : 'team', id }, refused.code)
  return { ok: false, problem: refused }
}

async function findServer(actor: Person, kind: string, id: string): Promise<NamedPlace | null> {
  if (kind !== 'server' || !isOpaqueId(id)) return null
  const server = await db().server.findFirst({ where: { AND: [await serversVisibleTo(actor), { id }] }, select: { name: true } })
  return server && { kind, id, name: server.name }
}

const needsTeams = 'Use a target of the team: this schedule is for sites of all members.'
const noDownload = 'Copies in a target of your own are downloads, which your access does not include here. Use a target of the team.'

/** A target that the member may use for copies there; or the reason why not, as a sentence. */
export async function findPlanTarget(actor: Person, place: PlanPlace, targetId: string): Promise<BackupTarget | string> {
  const target = isOpaqueId(targetId) ? await findUsableTarget(actor, targetId) : null
  if (!target) return 'Choose a backup target.'
  if (place.kind === 'site') return (await refuseSite(actor, target, place.id)) ?? target
  if (target.ownerId === null) return target
  if (place.kind === 'team') return needsTeams
  return (await findGranted(actor, sites.download, 'server', [place.id])).has(place.id) ? target : noDownload
}
