/** The everyday life of an installed simulated machine: hour by hour the same, whether or not anybody looks. */
import { createHash } from 'node:crypto'
import { parseQueue, type QueuedMail, renderQueue } from '../mail-queue'
import type { SandboxModel } from './model'

const hourMs = 3_600_000
/** An installed machine has as much of a past, and its mail server gives up on a message after as long. */
const rememberedHours = 5 * 24
/** A message gets stuck once in so many hours. */
const hoursPerMail = 9

/** Tells what happened since the machine was last looked at. */
export function passDays(machine: SandboxModel, nowMs: number): void {
  if (machine.packages.postfix === undefined) return
  const last = Math.floor(nowMs / hourMs)
  const first = Math.max((machine.livedUntilMs ?? 0) / hourMs + 1, last - rememberedHours)
  if (first > last) return
  const hours = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  const stuck = hours.filter((hour) => hour % hoursPerMail === 0).map((hour) => stuckMail(machine, hour))
  const waiting = parseQueue(machine.mailQueue).filter(({ arrivedAt }) => arrivedAt * 1000 > nowMs - rememberedHours * hourMs)
  machine.mailQueue = renderQueue([...waiting, ...stuck])
  machine.livedUntilMs = last * hourMs
}

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
