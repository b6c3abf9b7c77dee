/** Sizes of services that announce no extensions: bytes, KiB or with a unit, told apart by what is plausible. */
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

test('what is plausible in neither unit stays as it came', () => {
  expect(disk(2 * MiB - 1)).toBe(String(2 * MiB - 1))
  expect(memory('3934')).toBe('3934')
  expect(figuresOf({ disk_total: '40', disk_space: '12.5', disk_free: 27.5 })).toMatchObject({ disk_space: '12.5', disk_free: '27.5' })
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
