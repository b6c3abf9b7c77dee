/** Which rows of the record can be undone by whoever reads them, which were, and which did so. */
import 'server-only'
import { mayRun } from '@/lib/portal/access/roles'
import { db } from '@/lib/portal/base/db'
import type { Actor } from '@/lib/portal/identity/actor'
import { visibleTo } from '../servers/row'
import type { Inverse } from '../undoable/inverse'

/**
 * undo: what taking it back does, in words (`plain` where the row itself says so), the id to ask for it, and where one sees what came of it. Null where nothing is
 * kept, or the reader may not. undone: by whom and when, ISO.
 */
export type UndoMark = {
  undo: { id: string; says: string; plain: boolean; page: { href: string; word: string } } | null
  undone: { by: string; at: string } | null
}

const words: Readonly<Record<Inverse['kind'], string>> = {
  'cron.putBack': 'Puts the job back.',
  'cron.takeOut': 'Takes the job out again.',
  'cron.swap': 'Brings the old job back in place of the new one.',
  'firewall.putBack': 'Puts the rule back to its place.',
  'firewall.takeOut': 'Takes the rule out again.',
  'firewall.switch': 'Switches the firewall back.',
}

const isKnown = (kind: string): kind is Inverse['kind'] => Object.hasOwn(words, kind)

/** By the number of the row that shows it: of the steps of one change, the last. */
export async function readUndoMarks(actor: Actor, requestIds: readonly string[]): Promise<Map<number, UndoMark>> {
  const where = { id: { in: [...new Set(requestIds)] }, teamId: actor.team.id }
  const rows = await db().undo.findMany({ where, include: { usedBy: { select: { name: true } } } })
  if (rows.length === 0) return new Map()
  const [steps, visible] = await Promise.all([lastSteps(rows.map(({ id }) => id)), findVisible(actor, rows)])
  return new Map(
    rows.flatMap(({ id, kind, serverId, usedAt, usedBy }) => {
      const seq = steps.get(id)
      if (seq === undefined) return []
      const undone = usedAt && { by: usedBy?.name ?? 'a former member', at: usedAt.toISOString() }
      const offered = !undone && isKnown(kind) && visible.has(serverId)
      return [
        [
          seq,
          { undo: offered ? { id, says: words[kind], plain: kind !== 'cron.swap', page: pageOf(kind, serverId) } : null, undone },
        ] as const,
      ]
    }),
  )
}

const pageOf = (kind: Inverse['kind'], serverId: string) =>
  kind.startsWith('cron.')
    ? { href: `/servers/${serverId}/cron`, word: 'Cron jobs' }
    : { href: `/servers/${serverId}/firewall`, word: 'Firewall' }

async function lastSteps(requestIds: readonly string[]): Promise<Map<string, number>> {
  const where = { requestId: { in: [...requestIds] }, stage: 'intent' }
  const steps = await db().auditRow.groupBy({ by: ['requestId'], where, _max: { seq: true } })
  return new Map(steps.flatMap(({ requestId, _max }) => (_max.seq === null ? [] : [[requestId, _max.seq] as const])))
}

/** Nobody is shown a button that would be refused. */
async function findVisible(actor: Actor, rows: readonly { serverId: string }[]): Promise<Set<string>> {
  if (!mayRun(actor.role, 'change')) return new Set()
  const where = { id: { in: rows.map(({ serverId }) => serverId) }, ...visibleTo(actor) }
  return new Set((await db().server.findMany({ where, select: { id: true } })).map(({ id }) => id))
}

/** What the rows of these changes say and when they were begun, ISO: for the rows that took them back. */
export async function readUndoneActs(
  actor: Actor,
  requestIds: readonly string[],
): Promise<Map<string, { action: string; detail: string; at: string }>> {
  if (requestIds.length === 0) return new Map()
  const where = { requestId: { in: [...new Set(requestIds)] }, teamId: actor.team.id, stage: 'intent' }
  const rows = await db().auditRow.findMany({
    where,
    orderBy: { seq: 'asc' },
    select: { requestId: true, action: true, detail: true, at: true },
  })
  return new Map(rows.map(({ requestId, action, detail, at }) => [requestId, { action, detail, at: at.toISOString() }]))
}
