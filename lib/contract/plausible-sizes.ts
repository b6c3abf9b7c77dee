/** Converts sizes of services without extensions to bytes: by the unit if there is one, else by plausibility. */
import { toArray } from '@/lib/contract/members'
import { readSize } from '@/lib/contract/size'

type Members = Readonly<Record<string, unknown>>

const [KiB, MiB, GiB, TiB] = [1024, 1024 ** 2, 1024 ** 3, 1024 ** 4]

/** In bytes: the smallest and largest plausible disk and memory of a server. */
const plausible = {
  disk: { min: 2 * GiB, max: 1024 * TiB },
  memory: { min: 128 * MiB, max: 4 * TiB },
} as const

/** In bytes: the largest backup of a server has at least this size. */
const leastBackup = MiB

/** The number of bytes per unit of a plain number. */
type Unit = 1 | typeof KiB

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Null for anything except a plain number. */
function plainNumber(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && /^\s*\d{1,15}(?:[.,]\d{1,6})?\s*$/.test(text) ? Number(text.replace(',', '.')) : null
}

function inBytes(value: unknown, unit: Unit): unknown {
  const plain = plainNumber(value)
  if (plain !== null) return unit === 1 ? value : String(Math.round(plain * unit))
  const bytes = typeof value === 'string' ? readSize(value)?.bytes : null
  return bytes == null ? value : String(bytes)
}

/** The units in which `total` is plausible. */
function unitsOf(total: number | null, { min, max }: { min: number; max: number }): readonly Unit[] {
  if (total === null) return []
  return ([1, KiB] as const).filter((unit) => total * unit >= min && total * unit <= max)
}

/** The only plausible unit; if both are, the one that is certain for the other figure. Bytes if nothing decides. */
function chooseUnit(own: readonly Unit[], other: readonly Unit[]): Unit {
  const [first = 1] = own.length === 2 && other.length === 1 ? other : own
  return first
}

const withSizes = (members: Members, names: readonly string[], unit: Unit): Members => ({
  ...members,
  ...Object.fromEntries(names.filter((name) => name in members).map((name) => [name, inBytes(members[name], unit)])),
})

function sumOf(one: unknown, other: unknown): number | null {
  const [first, second] = [plainNumber(one), plainNumber(other)]
  return first === null || second === null ? null : first + second
}

function summaryWithBytes(summary: Members): Members {
  const { disk_total, disk_space, disk_free, mem_total } = summary
  const diskTotal = disk_total === undefined || disk_total === '' ? sumOf(disk_space, disk_free) : plainNumber(disk_total)
  const disk = unitsOf(diskTotal, plausible.disk)
  const memory = unitsOf(plainNumber(mem_total), plausible.memory)
  const withDisk = withSizes(summary, ['disk_total', 'disk_space', 'disk_free'], chooseUnit(disk, memory))
  return withSizes(withDisk, ['mem_total', 'mem_free'], chooseUnit(memory, disk))
}

/** The `item` of a summary with its disk and memory in bytes. */
export function plausibleSummary(body: Members): Record<string, unknown> {
  const items = toArray(body.item)
  return Array.isArray(items) ? { ...body, item: items.map((item) => (isMembers(item) ? summaryWithBytes(item) : item)) } : { ...body }
}

/** The backups among `items` with their sizes in bytes. */
export function plausibleBackups(body: Members): Record<string, unknown> {
  const items = toArray(body.items)
  if (!Array.isArray(items)) return { ...body }
  const plain = items.map((item) => (isMembers(item) ? item.size : null))
  const largest = Math.max(0, ...plain.map((size) => plainNumber(size) ?? readSize(String(size))?.bytes ?? 0))
  const unit = largest < leastBackup ? KiB : 1
  return { ...body, items: items.map((item) => (isMembers(item) ? withSizes(item, ['size'], unit) : item)) }
}

/** The `messages` with their sizes in bytes. A message may have any size, so plain numbers are bytes. */
export function plausibleMessages(body: Members): Record<string, unknown> {
  const messages = toArray(body.messages)
  if (!Array.isArray(messages)) return { ...body }
  return { ...body, messages: messages.map((message) => (isMembers(message) ? withSizes(message, ['size'], 1) : message)) }
}
