/** What the host program says, in words: its events are codes with values, described by host/protocol.schema.json. */
import * as z from 'zod'
import { isOfTransfer, transferEvents, transferSentence } from '../sites/staging/sentences'
import { copyEvents, copySentence, isCopyEvent } from './copy-sentences'
import { nightlyEvents, nightlySentence } from './nightly-sentences'

const count = z.number().int().nonnegative()
const reason = z.enum(['beside', 'kind', 'no-folder', 'leads-out', 'long-path', 'unreadable'])

const made = z.enum(['manual', 'nightly', 'restore', 'push', 'delete', 'download'])
const refusedFor = z.enum([
  'too-many',
  'kind',
  'path',
  'leads-out',
  'hard-link',
  'no-folder',
  'owner',
  'runs-as-owner',
  'no-part',
  'twice',
  'below-link',
])

/** Why a backup is not restored. */
const whyNot = {
  gone: 'The backup is no longer there.',
  changed: 'The backup was changed since it was made.',
  'no-zstd': 'The program zstd is missing. Run “apt-get install zstd”, then try again.',
  'no-site': 'This is no backup of a site.',
  newer: 'The backup was made by a newer version of Gatehouse.',
  'no-database': 'The backup has no database.',
  'no-owner': 'The backup does not say whom its files belong to.',
  damaged: 'The archive is damaged.',
  'no-files': 'The backup has no files of the site.',
} as const
const reasonsNot = Object.keys(whyNot) as (keyof typeof whyNot)[]

export const hostEvent = z.discriminatedUnion('code', [
  ...nightlyEvents,
  ...transferEvents,
  ...copyEvents,
  z.strictObject({ code: z.literal('left-out'), reason, path: z.string() }),
  z.strictObject({ code: z.literal('more-left-out'), count }),
  z.strictObject({ code: z.literal('not-restored'), path: z.string() }),
  z.strictObject({ code: z.literal('more-not-restored'), count }),
  z.strictObject({ code: z.literal('rows-differ'), table: z.string(), now: count, before: count }),
  z.strictObject({ code: z.literal('history-differs'), table: z.string(), now: count, before: count }),
  z.strictObject({ code: z.literal('more-differences'), count }),
  z.strictObject({ code: z.literal('routines-differ'), now: count, before: count }),
  z.strictObject({ code: z.literal('newer-mariadb'), made: z.string(), here: z.string() }),
  z.strictObject({ code: z.literal('no-files'), path: z.string() }),
  z.strictObject({ code: z.literal('no-own-folder'), path: z.string() }),
  z.strictObject({ code: z.literal('former-there'), path: z.string() }),
  z.strictObject({ code: z.literal('home-writable') }),
  z.strictObject({ code: z.literal('journal-unreadable') }),
  z.strictObject({ code: z.literal('archive-written'), files: count, bytes: count }),
  z.strictObject({ code: z.literal('not-written') }),
  z.strictObject({ code: z.literal('disk-error') }),
  z.strictObject({ code: z.literal('disk-full') }),
  z.strictObject({ code: z.literal('not-read-back') }),
  z.strictObject({ code: z.literal('no-room-to-load') }),
  z.strictObject({ code: z.literal('dump-cut') }),
  z.strictObject({ code: z.literal('tables-locked') }),
  z.strictObject({ code: z.literal('unverified') }),
  z.strictObject({ code: z.literal('no-virtual-host'), path: z.string() }),
  z.strictObject({ code: z.literal('no-database'), name: z.string() }),
  z.strictObject({ code: z.literal('no-routine'), name: z.string() }),
  z.strictObject({ code: z.literal('backup-made'), name: z.string() }),
  z.strictObject({ code: z.literal('history-left-out'), table: z.string() }),
  z.strictObject({ code: z.literal('table-missing'), table: z.string() }),
  z.strictObject({ code: z.literal('table-unreadable'), table: z.string(), error: z.string() }),
  z.strictObject({ code: z.literal('dump-not-loaded'), table: z.string(), error: z.string() }),
  z.strictObject({ code: z.literal('dump-lacks'), names: z.string() }),
  z.strictObject({ code: z.literal('archive-refused'), why: refusedFor, path: z.string() }),
  z.strictObject({ code: z.literal('restore-refused'), why: refusedFor, path: z.string() }),
  z.strictObject({ code: z.literal('backup-refused'), why: z.enum(reasonsNot) }),
  z.strictObject({
    code: z.literal('no-room'),
    work: z.enum(['backup', 'archive', 'verify', 'unpack', 'load']),
    reason: made,
    needed: count,
    free: count,
    path: z.string(),
  }),
  z.strictObject({ code: z.literal('program-failed'), program: z.string(), exit: z.string(), error: z.string() }),
  z.strictObject({ code: z.literal('too-slow'), program: z.string(), seconds: count }),
  z.strictObject({ code: z.literal('bad-request'), error: z.string() }),
  z.strictObject({ code: z.literal('program-error'), error: z.string() }),
])

type HostEvent = z.infer<typeof hostEvent>

const why: Record<z.infer<typeof reason>, string> = {
  beside: 'it is in neither public nor private',
  kind: 'it is neither a file, a folder nor a link',
  'no-folder': 'it is no folder',
  'leads-out': 'it leads outside of the site',
  'long-path': 'its path is too long',
  unreadable: 'it cannot be read',
}

const whyRefused: Record<z.infer<typeof refusedFor>, (path: string) => string> = {
  'too-many': () => 'it has too many files.',
  kind: (path) => `${path} is neither a file, a folder nor a link.`,
  path: (path) => `${path} is no path inside of the site.`,
  'leads-out': (path) => `${path} is a link to outside of the site.`,
  'hard-link': (path) => `${path} is not a file of the site.`,
  'no-folder': (path) => `${path} is no folder.`,
  owner: (path) => `${path} belongs to neither the site nor root.`,
  'runs-as-owner': (path) => `${path} would run as its owner.`,
  'no-part': (path) => `${path} is no part of a backup.`,
  twice: (path) => `${path} is in it twice.`,
  'below-link': (path) => `${path} is below a link.`,
}

/** What is needed is rounded up and what is free down, so that the first is never shown as the smaller. */
function noRoom({ work, reason, needed, free, path }: Extract<HostEvent, { code: 'no-room' }>): string {
  const sizes = `needs ${sizeInWords(needed, Math.ceil)}, ${sizeInWords(free, Math.floor)} are free`
  return `${noRoomFor[work](sizes, path)} ${advice[reason] ?? 'Nothing was changed.'}`
}

const noRoomFor: Record<Extract<HostEvent, { code: 'no-room' }>['work'], (sizes: string, path: string) => string> = {
  backup: (sizes) => `There is no room for a backup: it ${sizes}.`,
  archive: (sizes) => `There is no room for an archive: it ${sizes}.`,
  verify: (sizes, path) => `There is no room to verify a backup: that ${sizes} in ${path}.`,
  unpack: (sizes) => `There is no room to unpack the backup: it ${sizes}.`,
  load: (_, path) => `There is no room for the database in ${path}.`,
}

const advice: Partial<Record<z.infer<typeof made>, string>> = {
  delete: 'Nothing was deleted. Free some space, or delete the site without a last backup.',
  download: 'Free some space, then try again.',
}

/** In MB below 10 GB. */
function sizeInWords(bytes: number, round: (value: number) => number): string {
  const gigabyte = 1024 ** 3
  return bytes >= 10 * gigabyte ? `${(round((bytes / gigabyte) * 10) / 10).toFixed(1)} GB` : `${round(bytes / 1024 ** 2)} MB`
}

function sentenceOf(event: HostEvent): string {
  if (isOfTransfer(event)) return transferSentence(event)
  switch (event.code) {
    case 'left-out':
      return `Left out, because ${why[event.reason]}: ${event.path}`
    case 'more-left-out':
      return `Left out, and not named: ${event.count} more.`
    case 'not-restored':
      return `Not restored, because it is in neither public nor private: ${event.path}`
    case 'more-not-restored':
      return `Not restored, and not named: ${event.count} more.`
    case 'rows-differ':
      return `${event.table}: ${event.now} rows in the backup, ${event.before} before.`
    case 'history-differs':
      return `${event.table}: ${event.now} former rows in the backup, ${event.before} before.`
    case 'more-differences':
      return `Not named: ${event.count} more differences.`
    case 'routines-differ':
      return `Stored routines: ${event.now} in the backup, ${event.before} before.`
    case 'newer-mariadb':
      return `The database was backed up with MariaDB ${event.made}, and MariaDB ${event.here}, which runs here, cannot load it. Nothing was changed.`
    case 'no-files':
      return `${event.path} is missing, so the backup has no files.`
    case 'no-own-folder':
      return `${event.path} is no folder of the site.`
    case 'former-there':
      return `${event.path} is still there from earlier work.`
    case 'home-writable':
      return 'The folder of the site must belong to root, and nobody else may write there.'
    case 'journal-unreadable':
      return 'What the work has noted of its steps cannot be read.'
    case 'archive-written':
      return 'The archive is written.'
    case 'not-written':
      return 'The archive could not be written.'
    case 'disk-error':
      return 'Some files cannot be read.'
    case 'disk-full':
      return 'The server’s disk is full.'
    case 'not-read-back':
      return 'The archive cannot be read back.'
    case 'no-room-to-load':
      return 'There is no room to load its dump.'
    case 'dump-cut':
      return 'The dump of the database is not complete.'
    case 'tables-locked':
      return 'A program of the site holds locks on its tables (LOCK TABLES). End it, then try again.'
    case 'unverified':
      return 'The backup could not be verified. It is kept all the same.'
    case 'no-virtual-host':
      return `${event.path} is missing, so it is not in the backup.`
    case 'no-database':
      return `The database ${event.name} is missing, so the backup has none.`
    case 'no-routine':
      return `MariaDB does not show the routine ${event.name}.`
    case 'backup-made':
      return `The backup is ${event.name}.`
    case 'history-left-out':
      return `The history of the table ${event.table} is not copied: MariaDB’s program for dumps cannot do it here.`
    case 'table-missing':
      return `The table ${event.table} is not there after its dump is loaded.`
    case 'table-unreadable':
      return `The table ${event.table} cannot be read: ${event.error.replace(/\.$/, '')}. Repair or delete it, then try again.`
    case 'dump-not-loaded':
      return `Its dump cannot be loaded: ${event.error || 'the database client said nothing'}${event.table && ` (in the table ${event.table})`}.`
    case 'dump-lacks':
      return `Left out of the dump, because MariaDB cannot read them: ${event.names}. See unreadable.txt in the backup.`
    case 'archive-refused':
      return `The archive is refused: ${whyRefused[event.why](event.path)}`
    case 'restore-refused':
      return `The archive is refused: ${whyRefused[event.why](event.path)} Nothing was changed.`
    case 'backup-refused':
      return `${whyNot[event.why]} Nothing was changed.`
    case 'no-room':
      return noRoom(event)
    case 'program-failed':
      return `${event.program} failed (${event.exit}): ${event.error || 'it said nothing'}`
    case 'too-slow':
      return `${event.program} took longer than ${event.seconds} seconds.`
    case 'bad-request':
      return `Gatehouse’s program on the server refused its work: ${event.error}.`
    case 'program-error':
      return `Gatehouse’s program on the server failed: ${event.error}.`
    default:
      return isCopyEvent(event) ? copySentence(event) : nightlySentence(event)
  }
}

/** A text of a job, in which an event stands alone or after other words, with a sentence of bash after it: bash names the last line of a step that failed. */
export function withSentence(text: string): string {
  const at = text.indexOf('{"code":"')
  if (at < 0) return text
  for (let end = text.indexOf('}', at); end >= 0; end = text.indexOf('}', end + 1)) {
    const event = hostEvent.safeParse(parseJson(text.slice(at, end + 1)))
    if (event.success) return text.slice(0, at) + sentenceOf(event.data) + text.slice(end + 1).replace(/^\./, '')
  }
  return text
}

/** What a server prints of its backups: an event is there at the beginning of a line, or of a field of it. Earlier versions wrote sentences. */
export const withSentences = (printed: string): string => printed.replace(/(?<=[\t\n])\{"code":"[^\0\t\n]*/g, withSentence)

/** null if it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
