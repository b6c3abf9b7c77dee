/** The everyday life of an installed simulated machine: hour by hour the same, whether or not anybody looks. */
import { createHash } from 'node:crypto'
import { type BackupFile, parseBackups, renderBackups } from '../backups'
import { parseQueue, type QueuedMail, renderQueue } from '../mail-queue'
import type { SandboxModel } from './model'

const hourMs = 3_600_000
/** As much of a past an installed machine has. */
const rememberedHours = 7 * 24
/** After so long the mail server gives up on a message. A message gets stuck once in so many hours. */
const mailHours = 5 * 24
const hoursPerMail = 9
/** The nightly backup runs in this hour, UTC, and keeps as many. */
const backupHour = 2
const backupsKept = 7

/** Tells what happened since the machine was last looked at. */
export function passDays(machine: SandboxModel, nowMs: number): void {
  if (machine.services['gatehouse-backup.timer'] !== 'running') return
  const last = Math.floor(nowMs / hourMs)
  const first = Math.max((machine.livedUntilMs ?? 0) / hourMs + 1, last - rememberedHours)
  if (first > last) return
  const hours = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  passMail(machine, hours, nowMs)
  passNights(machine, hours)
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
  const made = hours.filter((hour) => hour % 24 === backupHour).map(nightlyBackup)
  const kept = parseBackups(renderBackups([...known.filter(nightly), ...made])).slice(0, backupsKept)
  machine.backups = renderBackups([...kept, ...known.filter((file) => !nightly(file))])
}

const megabyte = 1024 ** 2

/** Grows by what a shop takes in each day. */
function nightlyBackup(hour: number): BackupFile {
  const writtenAt = (hour * hourMs) / 1000 + 30 * 60
  const [day, time] = new Date(writtenAt * 1000).toISOString().split(/[T.]/)
  const bytes = 214 * megabyte + (hour % 4096) * 39_041
  return { name: `backup-${day}-${time?.replaceAll(':', '')}.tar.gz`, bytes, writtenAt, proven: true }
}

/** What somebody puts beside the others is told with them, and never rotated away. */
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
