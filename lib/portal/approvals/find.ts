/** Which held requests a member sees: those that they asked for, could approve, or decided. */
import 'server-only'
import { findOperation } from '@/lib/contract'
import { findGranted } from '@/lib/portal/access/decide'
import { seesAll } from '@/lib/portal/access/grants/compile'
import { rightOf } from '@/lib/portal/access/grants/read'
import { mayRun } from '@/lib/portal/access/roles'
import { findVisibleNames } from '@/lib/portal/access/visible'
import { db } from '@/lib/portal/base/db'
import { isOpaqueId } from '@/lib/portal/base/opaque-id'
import { findBatchKind } from '@/lib/portal/batches/kinds'
import type { Person } from '@/lib/portal/identity/actor'
import { mayBeOne } from '@/lib/portal/spine/held/approvers'
import { mayApproveOwn } from '@/lib/portal/spine/held/own'
import { openHeld } from '@/lib/portal/spine/held/sealed'
import type { HeldRequest } from '@/prisma/generated/portal/client'

/** A request of the team, and whether the actor could be its second person, as far as role, access and sight go. */
export type FoundHeld = { row: HeldRequest; own: boolean; mayDecide: boolean }

// The rule itself is turned off by two, and a link leads to the account of a second person: else one could act alone after all.
const neverPassed: ReadonlySet<string> = new Set([
  'team.setSecondPerson',
  'invitation.create',
  'invitation.resend',
  'member.resetLink',
  'activity.export',
])

export const mayPass = ({ own, row }: FoundHeld, { role }: Person): boolean => own && role === 'owner' && !neverPassed.has(row.action)

/** Null for one that the actor does not see, as for an unknown one. */
export async function findHeld(actor: Person, id: string): Promise<FoundHeld | null> {
  if (!isOpaqueId(id)) return null
  const row = await db().heldRequest.findFirst({ where: { id, teamId: actor.team.id } })
  const [found] = row ? await keepSeen(actor, [row]) : []
  return found ?? null
}

/** Those that the actor sees, in the given order. Once it is over, its server may be gone: whoever has a grant of everything still sees it. */
export async function keepSeen(actor: Person, rows: readonly HeldRequest[]): Promise<FoundHeld[]> {
  const all = actor.role !== 'guest' && seesAll(await rightOf(actor))
  const ids = [actor.user.id, ...rows.map(({ askedById }) => askedById)]
  const accounts = await db().user.findMany({ where: { id: { in: [...new Set(ids)] } }, select: { id: true, passwordById: true } })
  const accountOf = (id: string) => accounts.find((account) => account.id === id) ?? { id, passwordById: null }
  const account = accountOf(actor.user.id)
  const found = await Promise.all(
    rows.map(async (row) => {
      const own = row.askedById === actor.user.id
      const another = !own && !mayBeOne(account, accountOf(row.askedById))
      const mayDecide = another && actor.role !== 'guest' && (await couldDecide(actor, row))
      const seen = own || mayDecide || row.decidedById === actor.user.id || (row.endedAt !== null && all)
      return { row, own, mayDecide, seen }
    }),
  )
  return found.filter(({ seen }) => seen).map(({ row, own, mayDecide }) => ({ row, own, mayDecide }))
}

async function couldDecide(actor: Person, row: HeldRequest): Promise<boolean> {
  if (row.kind === 'own') {
    const content = await openHeld(row)
    return content?.kind === 'own' && mayApproveOwn({ userId: actor.user.id, role: actor.role }, await rightOf(actor), content)
  }
  const operation = findOperation(row.action)
  if (!operation || !mayRun(actor.role, operation.effect)) return false
  const targets = await findTargets(row)
  if (targets === null) return false
  const { kind, ids } = targets
  const [granted, names] = await Promise.all([findGranted(actor, operation, kind, ids), findVisibleNames(actor, kind, ids)])
  return ids.every((id) => granted.has(id) && names.has(id))
}

/** The servers or sites that it acts on; null for those of a batch that is over, and for a change of Gatehouse itself. */
export async function findTargets(row: HeldRequest): Promise<{ kind: 'server' | 'site'; ids: string[] } | null> {
  if (row.kind === 'operation') {
    return row.siteId === null ? { kind: 'server', ids: [row.serverId ?? ''] } : { kind: 'site', ids: [row.siteId] }
  }
  if (row.kind === 'own') return null
  const [content, kind] = [await openHeld(row), findBatchKind(row.action)]
  return content?.kind === 'batch' && kind ? { kind: kind.targets, ids: [...new Set(content.targets.map(({ id }) => id))] } : null
}
