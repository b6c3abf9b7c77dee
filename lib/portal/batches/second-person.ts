/** Whether a batch may start now, or waits as a whole for a second person. */
import 'server-only'
import type { Problem } from '@/lib/contract/problem'
import type { Place } from '@/lib/portal/access/grants/grant'
import { db } from '@/lib/portal/base/db'
import type { Person } from '@/lib/portal/identity/actor'
import { listApprovers } from '@/lib/portal/spine/held/approvers'
import { digestOf } from '@/lib/portal/spine/held/digest'
import { changed, holdRequest } from '@/lib/portal/spine/held/hold'
import { needsSecondPerson } from '@/lib/portal/spine/held/rule'
import type { HeldBatch } from '@/lib/portal/spine/held/sealed'
import type { BatchKind } from './kinds'
import { titleOfBatch } from './title'

type Target = HeldBatch['targets'][number]

/** requestId: of the batch and of the held request. targets: in order, with the names that were shown. */
type Asked = {
  kind: BatchKind
  requestId: string
  targets: readonly Target[]
  mode: string
  atOnce: string
  confirmName: string
  approvedDigest: string | undefined
}

/** Null if it may start. Its targets then need no second person of their own: the list was approved. */
export async function refuseBatchWithoutSecond(actor: Person, asked: Asked): Promise<Problem | null> {
  const { kind, requestId: id, mode, atOnce, confirmName, approvedDigest } = asked
  const { operation, targets: of } = kind
  if (approvedDigest === undefined && !(await needsSecondPerson(actor.team.id, operation.id))) return null
  const rows = await findRows(of, asked.targets)
  const content = [operation.id, mode, atOnce, rows.map(({ target, upstream }) => [target, upstream])]
  const digest = await digestOf(['batch', id, actor.team.id, actor.user.id, content])
  if (approvedDigest !== undefined) return digest === approvedDigest ? null : changed
  const targets = [...asked.targets]
  return holdRequest(actor, {
    id,
    action: operation.id,
    targetName: titleOfBatch(operation.id, targets.length, targets[0] && { ...targets[0], fields: JSON.stringify(targets[0].fields) }),
    digest,
    content: { kind: 'batch', targets, mode, atOnce, confirmName },
    approvers: await listApprovers(
      actor.team.id,
      operation,
      rows.map(({ place }) => place),
      actor.user.id,
    ),
  })
}

type Row = { target: Target; upstream: readonly string[]; place: Place }

/** Each target with the service's own id, and where its service is. */
async function findRows(of: BatchKind['targets'], targets: readonly Target[]): Promise<Row[]> {
  const where = { id: { in: [...new Set(targets.map(({ id }) => id))] } }
  const select = { id: true, origin: true, upstreamId: true } as const
  const found =
    of === 'site'
      ? await db().site.findMany({ where, select: { ...select, serverId: true } })
      : (await db().server.findMany({ where, select })).map((row) => ({ ...row, serverId: row.id }))
  const byId = new Map(found.map((row) => [row.id, row]))
  return targets.map((target) => {
    const { origin = '', upstreamId = '', serverId = null } = byId.get(target.id) ?? {}
    const place: Place = of === 'site' ? { kind: 'site', siteId: target.id, serverId } : { kind: 'server', serverId: target.id }
    return { target, upstream: [origin, upstreamId], place }
  })
}
