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

/** In bytes: memory that would have less than this in KiB is in MiB, beside a disk that fits it: programs tell memory in MiB, the disk in KiB. */
const leastInKiB = 512 * MiB

/** In bytes: the largest backup of a server has at least this size. */
const leastBackup = MiB

/** In bytes: the largest site of a list takes at least a block of its disk, and its largest backup a small part of that. */
const leastSite = { usage: 4 * KiB, backup: 512 } as const

/** The number of bytes per unit of a plain number. */
type Unit = 1 | typeof KiB | typeof MiB | typeof GiB

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

/** The units in which `total` is plausible: the larger two only where it is neither bytes nor KiB. */
function unitsOf(total: number | null, { min, max }: { min: number; max: number }): readonly Unit[] {
  if (total === null) return []
  const within = (units: readonly Unit[]) => units.filter((unit) => total * unit >= min && total * unit <= max)
  const small = within([1, KiB])
  return small.length > 0 ? small : within([MiB, GiB])
}

/** A total and the units in which it is plausible. */
type Figure = { total: number | null; units: readonly Unit[] }

const isLarge = ({ units: [first = 1] }: Figure): boolean => first > KiB

/** The only plausible unit; if both are, the one that is certain for the other figure. Bytes if nothing decides. */
function chooseUnit({ units: own }: Figure, { units: other }: Figure): Unit {
  const [first = 1] = own.length === 2 && other.length === 1 ? other : own
  return first
}

/** A disk has at least so many times the size of memory. */
const timesMemory = 2

/** Tools that count in MiB or GiB often tell the disk in one and memory in the other. */
function chooseUnits(disk: Figure, memory: Figure): { ofDisk: Unit; ofMemory: Unit } {
  if (!isLarge(disk) && !isLarge(memory)) return { ofDisk: chooseUnit(disk, memory), ofMemory: chooseUnit(memory, disk) }
  const pairs = disk.units.flatMap((ofDisk) => memory.units.map((ofMemory) => ({ ofDisk, ofMemory })))
  const fitting = pairs.filter(({ ofDisk, ofMemory }) => (disk.total ?? 0) * ofDisk >= timesMemory * (memory.total ?? 0) * ofMemory)
  const same = fitting.find(({ ofDisk, ofMemory }) => ofDisk === ofMemory)
  return same ?? fitting[0] ?? { ofDisk: disk.units[0] ?? 1, ofMemory: memory.units[0] ?? 1 }
}

const withSizes = (members: Members, names: readonly string[], unit: Unit): Members => ({
  ...members,
  ...Object.fromEntries(names.filter((name) => name in members).map((name) => [name, inBytes(members[name], unit)])),
})

function sumOf(one: unknown, other: unknown): number | null {
  const [first, second] = [plainNumber(one), plainNumber(other)]
  return first === null || second === null ? null : first + second
}

/** In bytes; 0 if it is unknown. */
const sizeOf = (value: unknown, plain: number | null, unit: Unit): number =>
  plain === null ? (readSize(String(value))?.bytes ?? 0) : plain * unit

/** disk: in bytes, in the smallest unit in which it is plausible. */
const isLargeInMiB = ({ total, units: [unit] }: Figure, disk: number): boolean =>
  total !== null && unit === KiB && total * KiB < leastInKiB && disk >= timesMemory * total * MiB

function summaryWithBytes(summary: Members): Members {
  const { disk_total, disk_space, disk_free, mem_total } = summary
  const diskTotal = disk_total === undefined || disk_total === '' ? sumOf(disk_space, disk_free) : plainNumber(disk_total)
  const memoryTotal = plainNumber(mem_total)
  const disk = { total: diskTotal, units: unitsOf(diskTotal, plausible.disk) }
  const memory = { total: memoryTotal, units: unitsOf(memoryTotal, plausible.memory) }
  const [smallest = 1] = disk.units
  const large = isLargeInMiB(memory, sizeOf(disk_total, diskTotal, smallest))
  const { ofDisk, ofMemory } = large ? { ofDisk: smallest, ofMemory: MiB } : chooseUnits(disk, memory)
  const withDisk = withSizes(summary, ['disk_total', 'disk_space', 'disk_free'], ofDisk)
  return withSizes(withDisk, ['mem_total', 'mem_free'], ofMemory)
}

/** The `item` of a summary with its disk and memory in bytes. */
export const plausibleSummary = (body: Members): Record<string, unknown> => withEach(body, 'item', (items) => items.map(summaryWithBytes))

/** What a list or an `item` has, of which items that are no objects stay as they are. */
function withEach(body: Members, name: string, write: (items: readonly Members[]) => Members[]): Record<string, unknown> {
  const items = toArray(body[name])
  if (!Array.isArray(items)) return { ...body }
  const written = write(items.filter(isMembers))[Symbol.iterator]()
  return { ...body, [name]: items.map((item) => (isMembers(item) ? written.next().value : item)) }
}

/** In the smallest of the units in which the largest of them has at least the size `least`; as they are if it has that in none. */
function inUnitOfLargest(items: readonly Members[], name: string, units: readonly Unit[], least: number): Members[] {
  const largest = Math.max(0, ...items.map(({ [name]: size }) => plainNumber(size) ?? readSize(String(size))?.bytes ?? 0))
  const unit = units.find((each) => largest * each >= least) ?? 1
  return items.map((item) => withSizes(item, [name], unit))
}

/** The backups among `items` with their sizes in bytes. */
export const plausibleBackups = (body: Members): Record<string, unknown> =>
  withEach(body, 'items', (items) => inUnitOfLargest(items, 'size', [1, KiB, MiB], leastBackup))

/** The same for the backups of a site, which may be small: a number is bytes, or MiB where no site is as small as that. */
export const plausibleSiteBackups = (body: Members): Record<string, unknown> =>
  withEach(body, 'items', (items) => inUnitOfLargest(items, 'size', [1, MiB], leastSite.backup))

/** The sites among `items` with their usage in bytes. */
export const plausibleSites = (body: Members): Record<string, unknown> =>
  withEach(body, 'items', (items) => inUnitOfLargest(items, 'usage', [1, MiB], leastSite.usage))

/** The `item` of a site's summary with its usage in bytes. */
export const plausibleSite = (body: Members): Record<string, unknown> =>
  withEach(body, 'item', (items) => inUnitOfLargest(items, 'disk_usage', [1, MiB], leastSite.usage))

/** The `messages` with their sizes in bytes. A message may have any size, so plain numbers are bytes. */
export const plausibleMessages = (body: Members): Record<string, unknown> =>
  withEach(body, 'messages', (messages) => messages.map((message) => withSizes(message, ['size'], 1)))
