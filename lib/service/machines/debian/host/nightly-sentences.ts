/** What the nightly backup of a server says: in its journal, in the note of what an archive lacks, and of how the newest run ended. */
import * as z from 'zod'

const count = z.number().int().nonnegative()

export const nightlyEvents = [
  z.strictObject({ code: z.literal('backup-running') }),
  z.strictObject({ code: z.literal('no-mariadb') }),
  z.strictObject({ code: z.literal('no-program') }),
  z.strictObject({ code: z.literal('stopped') }),
  z.strictObject({ code: z.literal('archive-failed'), error: z.string() }),
  z.strictObject({ code: z.literal('archive-unsure'), error: z.string() }),
  z.strictObject({ code: z.literal('database-silent'), error: z.string() }),
  z.strictObject({ code: z.literal('no-root-login'), error: z.string() }),
  z.strictObject({ code: z.literal('not-listed'), error: z.string() }),
  z.strictObject({ code: z.literal('dump-not-whole'), error: z.string() }),
  z.strictObject({ code: z.literal('trial-failed'), error: z.string() }),
  z.strictObject({ code: z.literal('other-database'), version: z.string() }),
  z.strictObject({ code: z.literal('history-missing'), tables: z.string() }),
  z.strictObject({ code: z.literal('dump-refused'), error: z.string(), table: z.string() }),
  z.strictObject({ code: z.literal('row-too-large'), table: z.string() }),
  z.strictObject({ code: z.literal('file-unreadable'), work: z.string(), error: z.string() }),
  z.strictObject({ code: z.literal('more-unreadable'), count: count }),
  z.strictObject({ code: z.literal('not-in-backup'), name: z.string() }),
  z.strictObject({ code: z.literal('archive-lacks'), path: z.string() }),
  z.strictObject({ code: z.literal('no-room-for-server'), path: z.string(), needed: count, free: count }),
  z.strictObject({ code: z.literal('server-lacks'), names: z.string(), unnamed: count }),
  z.strictObject({ code: z.literal('sites-not-backed-up'), names: z.string() }),
  z.strictObject({ code: z.literal('site-begun'), domain: z.string() }),
  z.strictObject({ code: z.literal('site-busy'), domain: z.string() }),
  z.strictObject({ code: z.literal('site-interrupted'), domain: z.string() }),
] as const

type NightlyEvent = z.infer<(typeof nightlyEvents)[number]>

export function nightlySentence(event: NightlyEvent): string {
  switch (event.code) {
    case 'backup-running':
      return 'Another backup is running.'
    case 'no-mariadb':
      return 'The database server is not MariaDB, or its client is not installed.'
    case 'no-program':
      return 'Gatehouse’s program for backups or Python is missing on this server, or the program was changed. Bring the server up to date.'
    case 'stopped':
      return 'The backup was stopped before it was complete.'
    case 'archive-failed':
      return `The archive could not be written: ${event.error}`
    case 'archive-unsure':
      return `The archive may be incomplete: ${event.error}`
    case 'database-silent':
      return `The database server does not answer: ${event.error}`
    case 'no-root-login':
      return `Root does not get in through the socket, /root/.my.cnf or /etc/mysql/debian.cnf: ${event.error}`
    case 'not-listed':
      return `They cannot be listed: ${event.error}`
    case 'dump-not-whole':
      return `It could not be dumped whole: ${event.error}`
    case 'trial-failed':
      return `It cannot be loaded again: The temporary database server did not start: ${event.error}`
    case 'other-database':
      return `The database server is not MariaDB: ${event.version}`
    case 'history-missing':
      return `MariaDB’s program for dumps does not know the history of its tables: ${event.tables}`
    case 'dump-refused':
      return `It cannot be loaded again: ${event.error || 'the database client said nothing'}${inTable(event.table)}`
    case 'row-too-large':
      return `It cannot be loaded again: A row is larger than the server’s max_allowed_packet${inTable(event.table)}.`
    case 'file-unreadable':
      return `${event.work}: ${event.error}`
    case 'more-unreadable':
      return `Not readable either: ${event.count} more.`
    case 'not-in-backup':
      return `Not in this backup: ${event.name}`
    case 'archive-lacks':
      return `The archive lacks ${event.path}.`
    case 'no-room-for-server':
      return `There is not enough room in ${event.path}: ${sizeInWords(event.free)} is free; a backup needs about ${sizeInWords(event.needed)}.`
    case 'server-lacks':
      return `Missing: ${event.names}${event.unnamed > 0 ? ` and ${event.unnamed} more` : ''}.`
    case 'sites-not-backed-up':
      return `Sites without a new backup: ${event.names}.`
    case 'site-begun':
      return `The backup of ${event.domain} begins.`
    case 'site-busy':
      return `${event.domain}: Other work on the site, or another backup, takes too long.`
    case 'site-interrupted':
      return `${event.domain}: Work on the site was interrupted, and is taken back before the next work on a site of this server.`
  }
}

const inTable = (table: string): string => table && ` (in the table ${table})`

/** With a unit, and one decimal unless that is 0. */
function sizeInWords(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB']
  const power = Math.min(bytes > 0 ? Math.floor(Math.log2(bytes) / 10) : 0, units.length - 1)
  return `${(bytes / 1024 ** power).toFixed(1).replace(/\.0$/, '')} ${units[power]}`
}
