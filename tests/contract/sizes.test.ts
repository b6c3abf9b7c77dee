/** Sizes of services that announce no extensions: bytes, KiB, MiB, GiB or with a unit, told apart by what is plausible. */
import { expect, test } from 'vitest'
import { decodeAnswer } from '@/lib/contract/answer'
import { contract } from '@/lib/contract/index'

const [KiB, MiB, GiB, TiB] = [1024, 1024 ** 2, 1024 ** 3, 1024 ** 4]

type Figures = Record<string, string | number>

const figuresOf = (item: Figures, extensions = false) => {
  const body = JSON.stringify({ success: true, item: [{ name: 'a', ...item }] })
  const outcome = decodeAnswer(contract.servers.summary, { status: 200, contentType: 'application/json', body, extensions })
  if (!outcome.ok) throw new Error(outcome.problem.sentence)
  const { disk_space, disk_free, disk_total, mem_total, mem_free } = outcome.data.item[0]
  return { disk_space, disk_free, disk_total, mem_total, mem_free }
}

const disk = (total: string | number, more: Figures = {}) => figuresOf({ disk_total: total, ...more }).disk_total
const memory = (total: string | number, more: Figures = {}) => figuresOf({ mem_total: total, ...more }).mem_total

test('a disk of 41251136 is one of 39 GiB told in KiB, and what is used and free of it is in KiB too', () => {
  expect(figuresOf({ disk_total: '41251136', disk_space: 12_000_000, disk_free: '29251136' })).toMatchObject({
    disk_total: String(41_251_136 * KiB),
    disk_space: String(12_000_000 * KiB),
    disk_free: String(29_251_136 * KiB),
  })
})

test('a fraction of a unit is a plain number too', () => {
  expect(disk('41251136.5')).toBe(String(41_251_136.5 * KiB))
  expect(memory('16777216,0')).toBe(String(16 * GiB))
  expect(disk('85899345920.0')).toBe('85899345920.0')
})

test('the borders: a disk has at least 2 GiB and at most 1 PiB, memory at least 128 MiB and at most 4 TiB', () => {
  expect(disk(2 * GiB)).toBe(String(2 * GiB))
  expect(disk(2 * GiB - 1)).toBe(String((2 * GiB - 1) * KiB))
  expect(disk(2 * MiB)).toBe(String(2 * GiB))
  expect(disk(TiB, { mem_total: 16 * MiB })).toBe(String(1024 * TiB))
  expect(disk(TiB + 1, { mem_total: 16 * MiB })).toBe(String(TiB + 1))
  expect(memory(128 * MiB)).toBe(String(128 * MiB))
  expect(memory(128 * MiB - 1)).toBe(String((128 * MiB - 1) * KiB))
  expect(memory(128 * KiB)).toBe(String(128 * MiB))
  expect(memory(4 * GiB, { disk_total: 40 * MiB })).toBe(String(4 * TiB))
  expect(memory(4 * GiB + 1, { disk_total: 40 * MiB })).toBe(String(4 * GiB + 1))
})

test('what is plausible neither as bytes nor as KiB is MiB or GiB, and so is what is used and free of it', () => {
  expect(figuresOf({ disk_total: '40', disk_space: '12.5', disk_free: 27.5, mem_total: '4', mem_free: 1 })).toEqual({
    disk_total: String(40 * GiB),
    disk_space: String(12.5 * GiB),
    disk_free: String(27.5 * GiB),
    mem_total: String(4 * GiB),
    mem_free: String(GiB),
  })
  expect(disk(40_960)).toBe(String(40 * GiB))
  expect(memory('3934')).toBe(String(3934 * MiB))
  expect(disk(1)).toBe('1')
  expect(memory('0')).toBe('0')
})

const both = (diskTotal: number, memTotal: number) => {
  const { disk_total, mem_total } = figuresOf({ disk_total: diskTotal, mem_total: memTotal })
  return [Number(disk_total) / GiB, Number(mem_total) / GiB]
}

test('a disk in GiB beside memory in MiB: of what is plausible, memory is at most half of the disk', () => {
  expect(both(40, 4096)).toEqual([40, 4])
  expect(both(20, 512)).toEqual([20, 0.5])
  expect(both(500, 128)).toEqual([500, 128])
  expect(both(4096, 16)).toEqual([4096, 16])
  expect(both(4096, 16_384)).toEqual([4096, 16])
  expect(both(81_920, 4096)).toEqual([80, 4])
  expect(both(40 * GiB, 4096)).toEqual([40, 4])
  expect(both(40, 4 * GiB)).toEqual([40, 4])
})

test('memory of 128 GiB and more in MiB beside a disk that fits it is not taken for less than 512 MiB in KiB, whatever the disk is in', () => {
  const inMiB = 131_072
  for (const total of [1862, 2 * TiB, TiB / KiB, '1.8T'])
    expect(memory(inMiB, { disk_total: total, mem_free: 65_536 })).toBe(String(128 * GiB))
  expect(figuresOf({ disk_space: TiB, disk_free: TiB, mem_total: inMiB, mem_free: '65536' })).toMatchObject({ mem_free: String(64 * GiB) })
  expect(memory(515_600, { disk_total: 2 * TiB })).toBe(String(515_600 * MiB))
  expect(figuresOf({ disk_total: 300 * GiB, mem_total: inMiB })).toMatchObject({
    disk_total: String(300 * GiB),
    mem_total: String(128 * GiB),
  })
  // Small servers, in KiB.
  expect(memory(499_712, { disk_total: 20 * MiB })).toBe(String(499_712 * KiB))
  expect(memory(1_000_000, { disk_total: 4 * TiB })).toBe(String(1_000_000 * KiB))
  expect(memory(inMiB)).toBe(String(128 * MiB))
})

test('what is plausible in both units follows the other figure of the answer, and is bytes where that leaves it open', () => {
  const fourTiB = (4 * TiB) / KiB
  expect(disk(fourTiB)).toBe(String(fourTiB))
  expect(disk(fourTiB, { mem_total: 16 * MiB })).toBe(String(4 * TiB))
  expect(disk(fourTiB, { mem_total: 16 * GiB })).toBe(String(fourTiB))
  const halfTiB = TiB / 2 / KiB
  expect(memory(halfTiB)).toBe(String(halfTiB))
  expect(memory(halfTiB, { disk_total: 40 * MiB })).toBe(String(TiB / 2))
  // As KiB it would be 16 TiB of memory, so it is bytes, whatever unit the disk is in.
  expect(memory(16 * GiB, { disk_total: 40 * MiB })).toBe(String(16 * GiB))
})

test('where the total is missing, used and free together decide; a total in percent decides nothing', () => {
  expect(figuresOf({ disk_space: 12_000_000, disk_free: 29_251_136 })).toMatchObject({ disk_space: String(12_000_000 * KiB) })
  expect(figuresOf({ disk_total: '41%', disk_free: '7' })).toMatchObject({ disk_total: '41%', disk_free: '7' })
})

test('units are read; words and shares stay as they came', () => {
  expect(figuresOf({ disk_total: '40G', disk_space: '12.5 GiB', disk_free: '27,5G', mem_total: '3934 MB', mem_free: 'plenty' })).toEqual({
    disk_total: String(40 * GiB),
    disk_space: String(12.5 * GiB),
    disk_free: String(27.5 * GiB),
    mem_total: String(3934 * MiB),
    mem_free: 'plenty',
  })
})

test('a service that announces extensions sends bytes, however few', () => {
  const few = { disk_total: '41251136', disk_space: '12', disk_free: '7', mem_total: '65536', mem_free: '1' }
  expect(figuresOf(few, true)).toEqual(few)
})

const backups = (sizes: readonly (string | number)[], extensions = false) => {
  const items = sizes.map((size, index) => ({ name: `${index}.tar.gz`, size }))
  const body = JSON.stringify({ success: true, items })
  const outcome = decodeAnswer(contract.serverBackups.list, { status: 200, contentType: 'application/json', body, extensions })
  return outcome.ok ? outcome.data.items.map(({ size }) => size) : outcome.problem
}

test('backups are in KiB where the largest has less than 1 MiB as bytes', () => {
  expect(backups(['71680', 900])).toEqual([String(70 * MiB), String(900 * KiB)])
  expect(backups([MiB - 1])).toEqual([String((MiB - 1) * KiB)])
  expect(backups([MiB, '900'])).toEqual([String(MiB), '900'])
  expect(backups(['1.5G', '900'])).toEqual([String(1.5 * GiB), '900'])
  expect(backups(['71680'], true)).toEqual(['71680'])
  expect(backups(['0', 'n/a'])).toEqual(['0', 'n/a'])
})

test('backups of a server are in MiB where the largest has less than 1 MiB as KiB', () => {
  expect(backups(['40', 7])).toEqual([String(40 * MiB), String(7 * MiB)])
  expect(backups([1023, '0'])).toEqual([String(1023 * MiB), '0'])
  expect(backups([1024])).toEqual([String(MiB)])
})

const usages = (given: readonly (string | number | null)[], extensions = false) => {
  const items = given.map((usage, index) => ({ id: String(index), domain: 'a.example', usage }))
  const body = JSON.stringify({ success: true, items })
  const outcome = decodeAnswer(contract.sites.list, { status: 200, contentType: 'application/json', body, extensions })
  return outcome.ok ? outcome.data.items.map(({ usage }) => usage) : outcome.problem
}

test('the usage of sites is in MiB where the largest would have less than a block of a disk as bytes', () => {
  expect(usages(['120', 40, '0'])).toEqual([String(120 * MiB), String(40 * MiB), '0'])
  expect(usages(['4096', '40'])).toEqual(['4096', '40'])
  expect(usages(['1.5 GB', '40', null])).toEqual([String(1.5 * GiB), '40', ''])
  expect(usages(['0', 'n/a'])).toEqual(['0', 'n/a'])
  expect(usages(['120'], true)).toEqual(['120'])
})

test('so are the usage on the page of a site, and its backups', () => {
  const read = (usage: string | number) => {
    const body = JSON.stringify({ success: true, item: { domain: 'a.example', disk_usage: usage, dns: {}, server: {} } })
    const outcome = decodeAnswer(contract.sites.summary, { status: 200, contentType: 'application/json', body })
    return outcome.ok ? outcome.data.item[0].disk_usage : outcome.problem
  }
  expect([read(120), read('104857600'), read('1,5G')]).toEqual([String(120 * MiB), '104857600', String(1.5 * GiB)])
  const body = JSON.stringify({ success: true, items: [{ name: 'a.tar.gz', size: '40', date: '' }] })
  const listed = decodeAnswer(contract.backups.list, { status: 200, contentType: 'application/json', body })
  expect(listed.ok && listed.data.items[0]?.size).toBe(40 * MiB)
})
