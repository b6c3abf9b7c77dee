import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import type { Sample } from '@/lib/portal/subjects/samples/sample'
import { readSlots, type Slot, withSample } from '@/lib/portal/subjects/samples/slots'
import { readHistoryOf } from '@/lib/portal/views/history/read'
import { openDesk } from '@/tests/portal/spine/desk'

const sample = (at: number, diskUsed: number | null, reachable = true): Sample => ({
  serverId: 's',
  at,
  reachable,
  diskUsed,
  diskTotal: diskUsed === null ? null : 100,
  memUsed: null,
  memTotal: null,
  updates: null,
  load: null,
})

test('samples are counted by slot and their figures averaged, and missing measurements are no figure', async () => {
  await using desk = await openDesk('viewer')
  const given = [sample(89, 1), sample(90, 10), sample(95, 20), sample(104, null, false), sample(105, null, false), sample(200, 7)]
  await db().sample.createMany({ data: given.map((each) => ({ ...each, serverId: desk.serverId })) })
  const slots = await readSlots(desk.serverId, 15, 92)
  expect(slots.map(({ from, checks, reachable, diskUsed, diskTotal }) => [from, checks, reachable, diskUsed, diskTotal])).toEqual([
    [90, 3, 2, 15, 100],
    [105, 1, 0, null, null],
    [195, 1, 1, 7, 100],
  ])
})

test('a range ends with the current slot, and shows nothing from before it', async () => {
  await using desk = await openDesk('viewer')
  const now = 1_000_007
  const ages = [0, 1, 30, 24 * 60 - 20, 24 * 60, 6 * 24 * 60, 29 * 24 * 60, 31 * 24 * 60]
  await db().sample.createMany({ data: ages.map((age) => ({ ...sample(now - age, 5), serverId: desk.serverId })) })
  const counts = await Promise.all(
    (['24h', '7d', '30d'] as const).map(async (range) => {
      const { from, to, step, slots } = await readHistoryOf(desk.serverId, range, now * 60_000)
      expect(slots.every((slot) => slot.from >= from && slot.from < to && slot.from % step === 0)).toBe(true)
      return [(to - from) / step, slots.reduce((sum, { checks }) => sum + checks, 0)]
    }),
  )
  expect(counts).toEqual([
    [96, 4],
    [84, 6],
    [120, 7],
  ])
})

test('a sample that is not stored yet joins its slot or starts one', () => {
  const none: Slot[] = []
  const one = withSample(none, sample(31, 8), 15)
  const two = withSample(one, sample(40, null, false), 15)
  expect(two).toEqual([{ from: 30, checks: 2, reachable: 1, diskUsed: 8, diskTotal: 100, memUsed: null, memTotal: null }])
  expect(withSample(two, sample(45, 9), 15).map(({ from }) => from)).toEqual([30, 45])
})
