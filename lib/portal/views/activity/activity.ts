/** The audit log in the form that the team reads. */
import 'server-only'
import { formatWho } from '@/lib/portal/audit/format-who'
import { type Detail, readDetail } from '@/lib/portal/audit/read-detail'
import { db } from '@/lib/portal/base/db'
import type { Person } from '@/lib/portal/identity/actor'
import { readUndoMarks, readUndoneActs, type UndoMark } from '@/lib/portal/subjects/undo/offers'
import { showBidiControls } from '@/lib/text/bidi'
import { type ActivityFilter, readFilter, writeFilter } from './filter'
import { type RunRow, type RunScope, readRuns } from './read-runs'
import { dropUnseen } from './seen'
import { describeAction } from './sentences'
import { formatReason, isResult, type Result } from './words'

/** One run: an intent with its outcome. */
export type ActivityEntry = {
  seq: number
  /** ISO; when it started. */
  at: string
  /** A user's name, else a description of the actor. */
  who: string
  /** "Deleted the rule ALLOW 22/tcp from Anywhere". */
  description: string
  /** The target with its name at that time; href: its page, else what was done to it, and null for what is neither. */
  target: { name: string; href: string | null } | null
  result: Result
  /** Why it did not succeed, if it did not. */
  reason: string | null
  /** The connection that was used; href: what else was done through it. */
  through: { name: string; href: string } | null
  /** The network address of the request; only for owners, admins and the user concerned. */
  peer: string | null
  jobId: string | null
  /** Whether and how it can be undone, or who undid it; null if it cannot be. */
  mark: UndoMark | null
  /** For an undo: the description of the original change and when that started, ISO. */
  undoes: { description: string; at: string } | null
}

export type ActivityPage = {
  entries: ActivityEntry[]
  /** The filter's `before` for the next older page; null at the end. */
  older: number | null
}

const pageRuns = 50

/**
 * A page of the team's audit log, newest first. All members may read it, including viewers, as far as their grants reach: a log that only
 * its own subjects can read controls nobody. A page may therefore have fewer entries than there are older ones. Network addresses are restricted: owners and admins see all, other members
 * only their own. Entries without a team (sign-in attempts with an unknown address) are shown to owners and admins of the first team,
 * which runs the portal.
 */
export async function readActivity(actor: Person, filter: ActivityFilter, zone: string, limit = pageRuns): Promise<ActivityPage> {
  const scope: RunScope = { teamId: actor.team.id, teamless: await seesTeamless(actor), zone }
  const { rows, searchOn } = await readRuns(scope, filter, limit + 1)
  const page = rows.slice(0, limit)
  const entries = await withUndos(actor, await dropUnseen(actor, page))
  const last = page.at(-1)
  if (rows.length > limit && last) return { entries, older: Number(last.seq) }
  return { entries, older: searchOn }
}

/** One change of a server or site, as its overview shows it. */
export type LastChange = Pick<ActivityEntry, 'seq' | 'at' | 'who' | 'description' | 'result' | 'jobId'>

/** More than are shown, because the reader may not see some of them. */
const readFor = 4

/** The newest changes and deletions of one server or site, newest first, for whoever sees them in Activity. */
export async function readLastChanges(actor: Person, objectId: string, limit: number): Promise<LastChange[]> {
  const scope: RunScope = { teamId: actor.team.id, teamless: false, zone: 'UTC' }
  const any = { ...readFilter({}), object: objectId }
  const found = await Promise.all((['changes', 'deletions'] as const).map((kind) => readRuns(scope, { ...any, kind }, limit * readFor)))
  const rows = found.flatMap((each) => each.rows).sort((a, b) => Number(b.seq) - Number(a.seq))
  return (await dropUnseen(actor, rows)).slice(0, limit).map((row) => {
    const { seq, at, who, description, result, jobId } = toEntry(row, actor)
    return { seq, at, who, description, result, jobId }
  })
}

async function withUndos(actor: Person, rows: readonly RunRow[]): Promise<ActivityEntry[]> {
  const undoneBy = (row: RunRow): string | null => {
    const { undoes } = readDetail(row.detail)
    return typeof undoes === 'string' ? undoes : null
  }
  const [marks, acts] = await Promise.all([
    readUndoMarks(
      actor,
      rows.map(({ requestId }) => requestId),
    ),
    readUndoneActs(
      actor,
      rows.map(undoneBy).filter((id) => id !== null),
    ),
  ])
  return rows.map((row) => {
    const undone = acts.get(undoneBy(row) ?? '')
    const undoes = undone ? { description: describeAction(undone.action, readDetail(undone.detail), 'done'), at: undone.at } : null
    return { ...toEntry(row, actor), mark: marks.get(Number(row.seq)) ?? null, undoes }
  })
}

const isKeeper = ({ role }: Person): boolean => role === 'owner' || role === 'admin'

async function seesTeamless(actor: Person): Promise<boolean> {
  if (!isKeeper(actor)) return false
  const first = await db().team.findFirst({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }], select: { id: true } })
  return first?.id === actor.team.id
}

function toEntry(row: RunRow, actor: Person): Omit<ActivityEntry, 'mark' | 'undoes'> {
  const began = readDetail(row.detail)
  const ended = readDetail(row.endDetail)
  const own = row.actorId === actor.user.id || (row.objectKind === 'user' && row.objectId === actor.user.id)
  const peer = typeof began.peer === 'string' ? began.peer : null
  const result = isResult(row.result) ? row.result : 'unknown'
  const reason = result === 'done' ? null : row.jobProblem || formatReason(row.action, { ...began, ...ended })
  return {
    seq: Number(row.seq),
    at: new Date(row.at).toISOString(),
    who: formatWho(row.actorName, row.actorKind),
    description: describeAction(row.action, began, result),
    target: targetOf(row, began),
    result,
    reason: reason && showBidiControls(reason),
    through: throughOf(row),
    peer: peer !== null && (isKeeper(actor) || own) ? peer : null,
    jobId: row.jobId,
  }
}

/** Activity, narrowed by one member of the filter. */
const narrowedTo = (part: Partial<ActivityFilter>): string => `/activity${writeFilter({ ...readFilter({}), ...part })}`

function throughOf({ connectionId, connectionLabel }: RunRow): ActivityEntry['through'] {
  if (connectionId === null || connectionLabel === null) return null
  return { name: showBidiControls(connectionLabel), href: narrowedTo({ connection: connectionId }) }
}

function targetOf(row: RunRow, began: Detail): ActivityEntry['target'] {
  const { objectKind, objectId: id } = row
  const noted = [began.name, began.label].find((name) => typeof name === 'string' && name !== '') ?? null
  const named = (name: unknown, href: string | null = null) => (typeof name === 'string' ? { name: showBidiControls(name), href } : null)
  if (objectKind === 'server')
    return named(noted ?? row.serverName, row.serverName === null ? narrowedTo({ object: id }) : `/servers/${id}`)
  if (objectKind === 'site') return named(noted ?? row.siteDomain, row.siteDomain === null ? narrowedTo({ object: id }) : `/sites/${id}`)
  if (objectKind === 'job') return named('A job', row.jobId === null ? null : `/jobs/${row.jobId}`)
  // A created object has the name from its request; the connection is shown as the one that was used.
  if (objectKind !== 'user') {
    const created = began['field.name']
    if (created !== undefined) return named(created)
    return named(noted ?? row.connectionLabel, objectKind === 'connection' ? narrowedTo({ connection: id }) : null)
  }
  if (id === '') return named('Unknown email address')
  // An entry about oneself does not repeat the user's name.
  return id === row.actorId ? null : named(row.personName ?? 'A former member', narrowedTo({ person: id }))
}
