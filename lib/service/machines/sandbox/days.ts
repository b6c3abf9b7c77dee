/** Simulates the everyday life of an installed sandbox server hour by hour; the result does not depend on how often it is read. */
import { createHash } from 'node:crypto'
import { type BackupFile, parseBackups, renderBackups, renderRun } from '../backups'
import { parseQueue, type QueuedMail, renderQueue } from '../mail-queue'
import { noteBackup, noteUpdates } from './events'
import type { SandboxModel } from './model'
import { backUpSites } from './site-backups'

const hourMs = 3_600_000
/** How far back the past of an installed server goes. */
const rememberedHours = 7 * 24
/** After this long the mail server gives up on a message. One message gets stuck every `hoursPerMail`. */
const mailHours = 5 * 24
const hoursPerMail = 9
/** The nightly backup runs at this hour and minute, UTC, and keeps this many files. */
const backupHour = 2
const backupMinute = 30
const backupsKept = 7
/** Updates come every third day at this hour, UTC. */
const hoursPerUpdate = 72
const updateHour = 6
/** How many backups fit on the disk of a server with behaviour `failing`. */
const failingRoom = 3

/** Simulates the time since the last call. */
export function simulateDays(machine: SandboxModel, nowMs: number): void {
  if (machine.services['gatehouse-backup.timer'] !== 'running') return
  const last = Math.floor(nowMs / hourMs)
  const first = Math.max((machine.livedUntilMs ?? 0) / hourMs + 1, last - rememberedHours)
  if (first > last) return
  const hours = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  passMail(machine, hours, nowMs)
  passNights(machine, hours)
  for (const hour of hours.filter((one) => one % hoursPerUpdate === updateHour)) noteUpdates(machine, hour)
  machine.livedUntilMs = last * hourMs
}

function passMail(machine: SandboxModel, hours: readonly number[], nowMs: number): void {
  const stuck = hours.filter((hour) => hour % hoursPerMail === 0).map((hour) => stuckMail(machine, hour))
  const waiting = [...parseQueue(machine.mailQueue), ...stuck].filter(({ arrivedAt }) => arrivedAt * 1000 > nowMs - mailHours * hourMs)
  machine.mailQueue = renderQueue(waiting)
}

function passNights(machine: SandboxModel, hours: readonly number[]): void {
  const begun = hours[0] ?? 0
  const known = machine.livedUntilMs === null ? [madeByHand(begun)] : parseBackups(machine.backups)
  const nightly = (file: BackupFile) => file.name.startsWith('backup-')
  let kept = known.filter(nightly)
  for (const hour of hours.filter((one) => one % 24 === backupHour)) {
    const file = nightlyBackup(machine, hour)
    const fits = machine.temper !== 'failing' || kept.length < failingRoom
    if (fits) kept = parseBackups(renderBackups([...kept, file])).slice(0, backupsKept)
    machine.backupRun = runOf(file, fits)
    noteBackup(machine, file, failureOf(file, fits))
    if (fits) backUpSites(machine, file.writtenAt * 1000)
    // systemd reports a failed or partial run as a failed unit.
    if (fits && file.lacks?.missing.length === 0) delete machine.services['gatehouse-backup.service']
    else machine.services['gatehouse-backup.service'] = 'failed'
  }
  machine.backups = renderBackups([...kept, ...known.filter((file) => !nightly(file))])
}

function runOf(file: BackupFile, fits: boolean): string {
  const state = !fits ? 'failed' : file.lacks?.missing.length ? 'partial' : 'done'
  return renderRun(state, file.writtenAt, failureOf(file, fits))
}

const failureOf = ({ lacks }: BackupFile, fits: boolean): string => {
  if (!fits) return noRoom
  return lacks?.missing.length ? 'Missing: shop.' : ''
}

const noRoom = 'There is not enough room in /var/backups/gatehouse: 193.4 MB is free; a backup needs about 512 MB.'

/** The time of the first nightly backup after this moment, in seconds since 1970. */
export function nextNight(nowMs: number): number {
  const first = Math.floor(nowMs / 86_400_000) * 86_400 + backupHour * 3600 + backupMinute * 60
  return first * 1000 > nowMs ? first : first + 86_400
}

const megabyte = 1024 ** 2

/** What the backups of a server with behaviour `flaky` lack. */
const flakyLacks = {
  missing: [
    {
      name: 'shop',
      reason:
        "It could not be dumped whole: mariadb-dump: Couldn't execute 'SHOW FIELDS FROM `totals`': View 'shop.totals' references " +
        'invalid table(s) or column(s) or function(s) or definer/invoker of view lack rights to use them (1356)',
    },
  ],
  leftOut: ['/srv/media'],
} satisfies BackupFile['lacks']

/** Grows by the daily data of a small shop. */
function nightlyBackup({ temper: behaviour }: SandboxModel, hour: number): BackupFile {
  const writtenAt = (hour * hourMs) / 1000 + backupMinute * 60
  const [day, time] = new Date(writtenAt * 1000).toISOString().split(/[T.]/)
  const bytes = 214 * megabyte + (hour % 4096) * 39_041
  const name = `backup-${day}-${time?.replaceAll(':', '')}.tar.gz`
  return { name, bytes, writtenAt, proven: true, lacks: behaviour === 'flaky' ? flakyLacks : { missing: [], leftOut: [] } }
}

/** A file that an admin puts next to the backups is listed too, and never deleted by the rotation. */
const madeByHand = (hour: number): BackupFile => ({
  name: 'before the move, by hand.tar.gz',
  bytes: 180 * megabyte,
  writtenAt: (hour * hourMs) / 1000,
  proven: false,
})

const letters: readonly ((hostname: string) => Pick<QueuedMail, 'sender' | 'recipients'>)[] = [
  (hostname) => ({ sender: `root@${hostname}`, recipients: ['ops@northwind.example'] }),
  () => ({ sender: 'shop@northwind.example', recipients: ['orders@lanternworks.example', 'archive@lanternworks.example'] }),
  () => ({ sender: 'MAILER-DAEMON', recipients: ['newsletter@tidewater.example'] }),
  (hostname) => ({ sender: `www-data@${hostname}`, recipients: ['contact@oakline.example'] }),
]

function stuckMail({ hostname }: SandboxModel, hour: number): QueuedMail {
  const digest = createHash('sha256').update(`${hostname} ${hour}`).digest()
  const write = letters[(hour / hoursPerMail) % letters.length] ?? (() => ({ sender: '', recipients: [] }))
  const arrivedAt = (hour * hourMs) / 1000 - (digest[0] ?? 0)
  return { queueId: digest.toString('hex', 1, 6).toUpperCase(), arrivedAt, bytes: 900 + digest.readUInt16BE(6), ...write(hostname) }
}
