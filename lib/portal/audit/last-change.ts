/** Who changed something of a server last, from the audit log: for forms whose value somebody else changed while they were open. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import { formatMinute } from '@/lib/text/minute'
import { formatWho } from './format-who'
import { readDetail } from './read-detail'

/** Longer ago, somebody else may have undone it outside Gatehouse, and the newest row would name the wrong person. */
const recentMs = 24 * 60 * 60_000

/** Whoever asks; `user` if it is one. */
type Asking = { team: { id: string }; user?: { id: string } }

export type LastChange = {
  /** "Robin", or "You" for the user who asks. */
  who: string
  /** "2026-11-23 at 08:50 UTC". */
  at: string
  requestId: string
}

type LastChangeQuery = {
  serverId: string
  /** Operation id. */
  action: string
  /** As the change was described when it was logged; without it, any change by the operation counts. */
  about?: string
}

/** The newest change within a day that succeeded; null if there is none. Changes at the service itself are not in the log. */
export async function findLastChange(actor: Asking, { serverId, action, about }: LastChangeQuery): Promise<LastChange | null> {
  const of = {
    teamId: actor.team.id,
    action,
    objectKind: 'server',
    objectId: serverId,
    at: { gte: new Date(Date.now() - recentMs) },
  } as const
  const done = await db().auditRow.findMany({
    where: { ...of, stage: 'outcome', outcome: 'done' },
    orderBy: { seq: 'desc' },
    take: 50,
    select: { actorId: true, actorKind: true, at: true, requestId: true },
  })
  const described = about === undefined ? null : await describedAs(about, of, done)
  const row = done.find(({ requestId }) => described === null || described.has(requestId))
  if (!row) return null
  return { who: await nameOf(row, actor), at: formatMinute(row.at), requestId: row.requestId }
}

/** What the request did by another operation, as it was described; null if nothing. */
export async function findDescription(requestId: string, action: string): Promise<string | null> {
  const row = await db().auditRow.findFirst({ where: { requestId, action, stage: 'intent' }, select: { detail: true } })
  return row && aboutOf(row.detail)
}

/** Only the row of the intent has the description. */
async function describedAs(about: string, of: object, done: readonly { requestId: string }[]): Promise<ReadonlySet<string>> {
  const where = { ...of, stage: 'intent', requestId: { in: done.map(({ requestId }) => requestId) } } as const
  const intents = await db().auditRow.findMany({ where, select: { requestId: true, detail: true } })
  return new Set(intents.filter(({ detail }) => aboutOf(detail) === about).map(({ requestId }) => requestId))
}

function aboutOf(detail: string): string | null {
  const { about } = readDetail(detail)
  return typeof about === 'string' ? about : null
}

async function nameOf({ actorId, actorKind }: { actorId: string | null; actorKind: string }, { user }: Asking): Promise<string> {
  if (actorId !== null && actorId === user?.id) return 'You'
  const by = actorId === null ? null : await db().user.findUnique({ where: { id: actorId }, select: { name: true } })
  return formatWho(by?.name ?? null, actorKind)
}
