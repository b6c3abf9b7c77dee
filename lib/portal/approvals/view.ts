/** Held requests as people read them: in words, with what is there now, and without secrets. */
import 'server-only'
import { findOperation } from '@/lib/contract'
import type { Field } from '@/lib/contract/fields'
import type { Operation } from '@/lib/contract/operation'
import type { Place } from '@/lib/portal/access/grants/grant'
import { mayRun } from '@/lib/portal/access/roles'
import { findVisibleNames } from '@/lib/portal/access/visible'
import { db } from '@/lib/portal/base/db'
import { findServersOfSites } from '@/lib/portal/base/sql/names'
import type { Person } from '@/lib/portal/identity/actor'
import { listApprovers } from '@/lib/portal/spine/held/approvers'
import { listOwnApprovers } from '@/lib/portal/spine/held/own'
import { type HeldBatch, openHeld } from '@/lib/portal/spine/held/sealed'
import { whatOf } from '@/lib/portal/spine/held/what'
import { siteDetails } from '@/lib/portal/subjects/sites/details'
import type { HeldRequest, HeldState } from '@/prisma/generated/portal/client'
import { heldMs, isLate, isTakenLate } from './end'
import { type FoundHeld, findHeld, findTargets, keepSeen, mayPass } from './find'
import { takenAs } from './take'

export type { HeldState }

type Line = { label: string; value: string }

export type HeldSummary = {
  id: string
  /** "Delete a site: shop.example" */
  what: string
  state: HeldState
  /** Names; "a former member" if the account was deleted. decidedBy: null while nobody decided. */
  askedBy: string
  decidedBy: string | null
  /** ISO times. until: when it expires. */
  askedAt: string
  until: string
  endedAt: string | null
  /** When it is sent, if that was chosen. */
  sendAt: string | null
  /** Until when whoever asked can take what it makes; null unless it is approved for that. takenAs: what that is. */
  takeUntil: string | null
  takenAs: 'link' | 'file' | null
  /** Whether the reader asked for it, and whether the reader can approve it. */
  own: boolean
  mayDecide: boolean
}

export type HeldView = HeldSummary & {
  /** What the approval is for; it changes if anything of it does. */
  digest: string
  /** What will be sent. Empty once it has ended, and null if its record was altered. */
  sends: Line[] | null
  /** What it acts on, as it is now. */
  now: Line[]
  /** How many other members could approve it. */
  approvers: number
  /** Why it was refused, and why it failed. */
  reason: string
  problem: string | null
  /** The page of the job or batch that it started. */
  page: string | null
  /** Whether the reader can go without a second person. */
  mayPass: boolean
}

const newest = 100

const open: readonly HeldState[] = ['waiting', 'approved', 'ready']

/** Those that the reader sees, newest first: all that are open, and the newest of the others. */
export async function listHeld(actor: Person): Promise<HeldSummary[]> {
  const teamId = actor.team.id
  const [present, former] = await Promise.all([
    db().heldRequest.findMany({ where: { teamId, state: { in: [...open] } }, orderBy: { askedAt: 'desc' } }),
    db().heldRequest.findMany({ where: { teamId, state: { notIn: [...open] } }, orderBy: { askedAt: 'desc' }, take: newest }),
  ])
  const rows = [...present, ...former].toSorted((one, other) => other.askedAt.getTime() - one.askedAt.getTime())
  const found = await keepSeen(actor, rows)
  const names = await readNames(rows)
  return found.map((each) => summarize(each, names))
}

/** Null for one that the reader does not see. */
export async function findHeldView(actor: Person, id: string): Promise<HeldView | null> {
  const found = await findHeld(actor, id)
  if (!found) return null
  const { row } = found
  const [names, operation] = [await readNames([row]), findOperation(row.action)]
  return {
    ...summarize(found, names),
    digest: row.digest,
    sends: open.includes(row.state) ? await describeSent(row, operation) : [],
    now: row.kind === 'own' ? await describeOwnNow(row) : await describeNow(actor, row),
    approvers: await countOthers(row),
    reason: row.reason,
    problem: row.problemSentence,
    page: row.page,
    mayPass: mayPass(found, actor) && row.state === 'waiting' && !isLate(row),
  }
}

async function readNames(rows: readonly HeldRequest[]): Promise<Map<string, string>> {
  const ids = rows.flatMap(({ askedById, decidedById }) => [askedById, ...(decidedById === null ? [] : [decidedById])])
  const users = await db().user.findMany({ where: { id: { in: [...new Set(ids)] } }, select: { id: true, name: true } })
  return new Map(users.map(({ id, name }) => [id, name]))
}

function summarize({ row, own, mayDecide }: FoundHeld, names: ReadonlyMap<string, string>): HeldSummary {
  // Until it is swept, one that is late is over.
  const late = (row.state === 'waiting' && isLate(row)) || (row.state === 'ready' && isTakenLate(row))
  const state = late ? 'expired' : row.state
  return {
    id: row.id,
    what: whatOf(row),
    state,
    askedBy: names.get(row.askedById) ?? 'a former member',
    decidedBy: row.decidedById === null ? null : (names.get(row.decidedById) ?? 'a former member'),
    askedAt: row.askedAt.toISOString(),
    until: new Date(row.askedAt.getTime() + heldMs).toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
    sendAt: state === 'approved' ? (row.sendAt?.toISOString() ?? null) : null,
    takeUntil: state === 'ready' ? new Date((row.sendAt?.getTime() ?? 0) + heldMs).toISOString() : null,
    takenAs: takenAs(row.action),
    own,
    mayDecide: mayDecide && open.includes(state),
  }
}

async function countOthers(row: HeldRequest): Promise<number> {
  const operation = findOperation(row.action)
  const content = row.kind === 'own' ? await openHeld(row) : null
  const ids =
    content?.kind === 'own'
      ? await listOwnApprovers(row.teamId, content, row.askedById)
      : operation
        ? await listApprovers(row.teamId, operation, await findPlaces(row), row.askedById)
        : []
  return ids.filter((userId) => userId !== row.askedById).length
}

async function findPlaces(row: HeldRequest): Promise<Place[]> {
  const { kind, ids } = (await findTargets(row)) ?? { kind: 'server', ids: [] }
  if (kind === 'server') return ids.map((serverId) => ({ kind, serverId }))
  const servers = await findServersOfSites(ids)
  return ids.map((siteId) => ({ kind, siteId, serverId: servers.get(siteId) ?? null }))
}

async function describeSent(row: HeldRequest, operation: Operation | undefined): Promise<Line[] | null> {
  const content = await openHeld(row)
  // What the change is, its title says; of an export, what is in the file.
  if (content?.kind === 'own') return row.action === 'activity.export' ? lines(content.now) : []
  if (content === null || !operation) return null
  if (content.kind === 'batch') return describeBatch(content, operation)
  return Object.entries(operation.fields).flatMap(([name, field]) => {
    const value = content.fields[name]
    if (field.alwaysFrom || (value === undefined && field.kind !== 'flag')) return []
    return [{ label: labelOf(name), value: wordsOf(name, field, value) }]
  })
}

const modes: Readonly<Record<string, string>> = {
  goOn: 'the others continue',
  stopAtFailure: 'no other begins',
  firstAlone: 'the first is tried alone, the others only if it is done',
}

/** The list of a batch, with the fields of each; none of them is a secret. */
function describeBatch({ targets, mode, atOnce }: HeldBatch, { description }: Operation): Line[] {
  const named = targets.map(({ name, fields }) => [name, ...Object.values(fields)].filter(Boolean).join(': '))
  return [
    { label: 'Operation', value: description.replace(/\.$/, '') },
    { label: `List (${targets.length})`, value: named.join('\n') },
    { label: 'At a time', value: atOnce },
    { label: 'If one fails', value: modes[mode] ?? mode },
  ]
}

/** The fields of what is proposed for the rule; the others are called as in the interface. */
const labels: Readonly<Record<string, string>> = {
  restore: 'Backup',
  backup_first: 'Back up first',
  without_backup: 'Back up first',
  replace_live_changes: 'Replace what changed on live',
  ids: 'Which',
  pass: 'Password',
  user: 'User',
}

/** Flags whose label says the opposite: “Without a backup: no” has to be read twice. */
const deniedBy: ReadonlySet<string> = new Set(['without_backup'])

const labelOf = (name: string): string => {
  const plain = name.replaceAll('_', ' ')
  return labels[name] ?? `${plain.charAt(0).toUpperCase()}${plain.slice(1)}`
}

function wordsOf(name: string, field: Field, value: string | boolean | string[] | undefined): string {
  if (field.kind === 'secret') return name === 'pass' || name === 'password' ? 'a new password' : 'a new secret'
  if (field.kind === 'flag') {
    const isOn = value === true || value === '1' || value === 'on' || value === 'true'
    return isOn === !deniedBy.has(name) ? 'yes' : 'no'
  }
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join('\n')
  return value === undefined || value === '' ? 'none' : String(value)
}

/** As it was when the change was asked for; if it is different by then, the change is not made. */
async function describeOwnNow(row: HeldRequest): Promise<Line[]> {
  const { action } = row
  const content = await openHeld(row)
  return content?.kind === 'own' && action !== 'activity.export' ? lines(content.now) : []
}

/** Only what the reader sees. */
async function describeNow(actor: Person, { kind, serverId, siteId }: HeldRequest): Promise<Line[]> {
  if (kind !== 'operation' || !mayRun(actor.role, 'read')) return []
  if (siteId !== null) {
    const [site, names] = await Promise.all([
      db().site.findUnique({ where: { id: siteId }, include: { server: { select: { name: true } } } }),
      findVisibleNames(actor, 'site', [siteId]),
    ])
    if (!site || !names.has(siteId) || site.goneAt) return [{ label: 'Site', value: 'no longer there' }]
    return lines({ Site: site.domain, Server: site.server?.name ?? '', Staging: siteDetails.read(site.details).staging })
  }
  const id = serverId ?? ''
  const where = { serverId: id, goneAt: null }
  const [server, names, sites] = await Promise.all([
    db().server.findUnique({ where: { id } }),
    findVisibleNames(actor, 'server', [id]),
    db().site.findMany({ where, select: { id: true }, orderBy: { domain: 'asc' } }),
  ])
  if (!server || !names.has(id) || server.goneAt) return [{ label: 'Server', value: 'no longer there' }]
  const seen = await findVisibleNames(
    actor,
    'site',
    sites.map((site) => site.id),
  )
  return lines({ Server: server.name, Address: server.hostname, State: server.state, Sites: [...seen.values()].join('\n') })
}

const lines = (facts: Readonly<Record<string, string>>): Line[] =>
  Object.entries(facts).flatMap(([label, value]) => (value === '' ? [] : [{ label, value }]))
