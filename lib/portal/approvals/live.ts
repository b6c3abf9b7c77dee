/** What the service says is there now, for whoever decides about a held request: read with their own right, and never waited for long. */
import 'server-only'
import { contract, findOperation } from '@/lib/contract'
import type { Answer, Operation } from '@/lib/contract/operation'
import { log } from '@/lib/log'
import { findOffers, type Target } from '@/lib/portal/access/decide'
import { findVisibleNames } from '@/lib/portal/access/visible'
import { db } from '@/lib/portal/base/db'
import { fewAtOnce } from '@/lib/portal/base/few-at-once'
import type { Person } from '@/lib/portal/identity/actor'
import { type HeldContent, openHeld } from '@/lib/portal/spine/held/sealed'
import { runOperation } from '@/lib/portal/subjects/spine'
import { findHeld, findTargets } from './find'

/** Shown one after the other. bytes: a size as the service sent it. at: ISO. */
export type LivePart = { text: string } | { bytes: string } | { at: string }

/** One line of parts or several; none: the service did not say. */
export type LiveFact = { label: string; lines: LivePart[][] }

const limitMs = 8_000
const maxSites = 20

/** A service has other work, too. */
const few = fewAtOnce('what is there now', { atOnce: 4, maxWaiting: 10_000 })

const { apps, backups, copies, database, servers, sites } = contract

type Backup = Answer<typeof backups.list>['items'][number]

/** Empty for what is not about a whole site or server, and for a request that is over. What cannot be read in time is left without lines. */
export const readLive = (actor: Person, heldId: string): Promise<LiveFact[]> =>
  readFacts(actor, heldId).catch((error: unknown) => {
    log.error({ err: error, heldId }, 'what is there now could not be read')
    return []
  })

async function readFacts(actor: Person, heldId: string): Promise<LiveFact[]> {
  const found = await findHeld(actor, heldId)
  const content = found && (found.row.state === 'waiting' || found.row.state === 'approved') ? await openHeld(found.row) : null
  const targets = found && content ? await findTargets(found.row) : null
  if (!found || content === null || targets === null) return []
  const [id = ''] = targets.ids
  if (content.kind === 'batch') return targets.kind === 'site' ? [await readSites(actor, targets.ids)] : []
  const { id: operation } = findOperation(found.row.action) ?? {}
  if (operation === servers.delete.id) return readServer(actor, id)
  if (operation === sites.delete.id) return readSite(actor, id)
  if (operation === backups.restore.id) return readRestore(actor, id, content)
  if (operation === copies.restore.id)
    return [{ label: 'Restored from', lines: [[{ text: textOf(content, 'backup') }]] }, ...(await readSite(actor, id))]
  return operation === apps.push.id ? readPush(actor, id, content) : []
}

type Listed = Answer<typeof backups.list> | null

/** archives: those of the site, if they were read already. */
async function readSite(actor: Person, siteId: string, archives?: Listed): Promise<LiveFact[]> {
  const target = { siteId }
  const [summary, details, tables, listed] = await Promise.all([
    read(actor, sites.summary, target),
    read(actor, database.get, target),
    read(actor, database.tables, target),
    archives === undefined ? read(actor, backups.list, target) : archives,
  ])
  return [
    { label: 'Files', lines: summary ? [[{ bytes: summary.item[0].disk_usage }]] : [] },
    { label: 'Database', lines: details ? [[{ text: details.item[0].db_name || 'none' }, ...sizeOf(tables)]] : [] },
    { label: 'Last backup', lines: listed ? [lastBackupOf(listed.items)] : [] },
  ]
}

function sizeOf(answer: Answer<typeof database.tables> | null): LivePart[] {
  if (!answer) return []
  const { tables, details } = answer
  const count: LivePart = { text: tables.length === 1 ? '1 table' : `${tables.length} tables` }
  return details ? [count, { bytes: String(details.reduce((sum, { bytes }) => sum + bytes, 0)) }] : [count]
}

async function readRestore(actor: Person, siteId: string, content: HeldContent): Promise<LiveFact[]> {
  const listed = await read(actor, backups.list, { siteId })
  const replaced = await readSite(actor, siteId, listed)
  const name = textOf(content, 'restore')
  const archive = listed?.items.find((each) => each.name === name)
  const lines = !listed ? [] : [archive ? partsOf(archive) : [{ text: 'no longer there' }]]
  return [{ label: 'Restored from', lines }, ...replaced]
}

/** What is replaced, and by what: the push's content. */
async function readPush(actor: Person, siteId: string, content: HeldContent): Promise<LiveFact[]> {
  const [answer, live] = await Promise.all([read(actor, apps.staging, { siteId }), readSite(actor, siteId)])
  const copy = answer?.item[0]
  const from: LivePart[][] = copy ? [copy.exists ? pulledOf(copy) : [{ text: 'There is no staging copy any more' }]] : []
  const facts: LiveFact[] = [{ label: 'From', lines: from }]
  if (isOn(content, 'files')) {
    const keeps = !isOn(content, 'replace_live_changes')
    facts.push({ label: 'Files replaced', lines: copy ? [replacedOf(copy, keeps)] : [] })
    const fate = keeps ? 'kept' : 'replaced'
    facts.push(
      copy?.live_changes
        ? { label: `Changed on live, ${fate}`, lines: changesOf(copy.live_changes) }
        : { label: 'Changed on live', lines: [] },
    )
  }
  if (isOn(content, 'database')) {
    const known = new Map(copy?.tables.map((table) => [table.name, table]))
    const lines = listOf(content, 'tables').map((name) => {
      const table = known.get(name)
      return table ? tableOf(table) : [{ text: name }, { text: 'size not known' }]
    })
    facts.push({ label: 'Tables replaced', lines })
  }
  return [...facts, ...live.map(({ label, lines }) => ({ label: label === 'Files' ? 'Live files' : label, lines }))]
}

type Staging = Answer<typeof apps.staging>['item'][0]

const pulledOf = ({ domain, pulled }: Staging): LivePart[] =>
  pulled === '' ? [{ text: domain }] : [{ text: `${domain}, pulled` }, { at: pulled }]

/** The only size that the service names is that of all files of live, so none is said where some of them are kept. */
function replacedOf({ files_bytes, live_changes }: Staging, keeps: boolean): LivePart[] {
  const kept = keeps ? live_changes?.count : 0
  if (kept === undefined) return [{ text: 'all but those that changed on live' }]
  if (kept > 0) return [{ text: `all but ${kept === 1 ? '1 file' : `${kept} files`} that changed on live` }]
  return [{ text: 'all' }, ...(files_bytes === undefined ? [] : [{ bytes: String(files_bytes) }])]
}

function changesOf({ count, names, conflicts }: NonNullable<Staging['live_changes']>): LivePart[][] {
  const listed = [...conflicts.map((name) => `${name}, changed on staging, too`), ...names]
  const shown = listed.map((text) => [{ text }])
  return [[{ text: count === 1 ? '1 file since the pull' : `${count} files since the pull` }], ...shown]
}

function tableOf({ name, bytes, changed, private: about }: Staging['tables'][number]): LivePart[] {
  const notes = [changed ? 'changed on live since the pull' : '', about].filter(Boolean)
  const parts: LivePart[] = [{ text: name }]
  if (bytes !== undefined) parts.push({ bytes: String(bytes) })
  return [...parts, ...notes.map((text) => ({ text }))]
}

async function readServer(actor: Person, serverId: string): Promise<LiveFact[]> {
  const [summary, rows] = await Promise.all([
    read(actor, servers.summary, { serverId }),
    db().site.findMany({ where: { serverId, goneAt: null }, select: { id: true }, orderBy: { domain: 'asc' } }),
  ])
  const ids = rows.map(({ id }) => id)
  const [seen, item] = [await findVisibleNames(actor, 'site', ids), summary?.item[0]]
  const disk: LivePart[] = item ? [{ bytes: item.disk_total }, { text: 'in all' }, { bytes: item.disk_free }, { text: 'free' }] : []
  return [
    { label: 'Disk', lines: item ? [disk] : [] },
    await readSites(
      actor,
      ids.filter((id) => seen.has(id)),
    ),
  ]
}

/** One line for each: its size and its last backup. */
async function readSites(actor: Person, ids: readonly string[]): Promise<LiveFact> {
  const names = await findVisibleNames(actor, 'site', ids)
  const lines = await Promise.all(
    ids.slice(0, maxSites).map(async (siteId): Promise<LivePart[]> => {
      const [summary, listed] = await few(() =>
        Promise.all([read(actor, sites.summary, { siteId }), read(actor, backups.list, { siteId })]),
      )
      const size: LivePart = summary ? { bytes: summary.item[0].disk_usage } : { text: 'size not known' }
      const last: LivePart[] = listed ? [{ text: 'last backup:' }, ...lastBackupOf(listed.items)] : [{ text: 'last backup not known' }]
      return [{ text: names.get(siteId) ?? '' }, size, ...last]
    }),
  )
  const more: LivePart[][] = ids.length > maxSites ? [[{ text: `and ${ids.length - maxSites} more` }]] : []
  return { label: 'Sites', lines: ids.length === 0 ? [[{ text: 'none' }]] : [...lines, ...more] }
}

/** Services list the newest first, if they do not say when each was made. */
function lastBackupOf(items: readonly Backup[]): LivePart[] {
  const made = ({ created_at = '' }: Backup) => Date.parse(created_at) || 0
  const [newest] = items.toSorted((one, other) => made(other) - made(one))
  return newest ? partsOf(newest) : [{ text: 'none' }]
}

function partsOf({ name, size, date, created_at = '', proven }: Backup): LivePart[] {
  const made: LivePart = Number.isNaN(Date.parse(created_at)) ? { text: date } : { at: created_at }
  const parts: LivePart[] = [{ text: name }, { bytes: String(size) }, made]
  if (proven !== undefined) parts.push({ text: proven ? 'verified' : 'not verified' })
  return parts
}

const fieldOf = (content: HeldContent, name: string) => (content.kind === 'operation' ? content.fields[name] : undefined)

function textOf(content: HeldContent, name: string): string {
  const value = fieldOf(content, name)
  return typeof value === 'string' ? value : ''
}

function listOf(content: HeldContent, name: string): string[] {
  const value = fieldOf(content, name)
  return Array.isArray(value) ? value : typeof value === 'string' && value !== '' ? [value] : []
}

const isOn = (content: HeldContent, name: string): boolean => [true, '1', 'on', 'true'].some((on) => on === fieldOf(content, name))

/**
 * Null for what is refused, fails or takes too long: it must not keep anybody from deciding. What the reader may not read is not tried: the page
 * asks for it, and the audit log would name a denied read that nobody attempted.
 */
async function read<O extends Operation>(actor: Person, operation: O, target: Target): Promise<Answer<O> | null> {
  if (!(await findOffers(actor, target))(operation)) return null
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), limitMs)
  })
  const answered = runOperation(actor, operation, target).then(
    (outcome) => (outcome.ok ? outcome.data : null),
    (error: unknown) => {
      log.error({ err: error, operation: operation.id }, 'what is there now could not be read')
      return null
    },
  )
  try {
    return await Promise.race([answered, late])
  } finally {
    clearTimeout(timer)
  }
}
