/** Samples that are old grow fewer, the same however often it is done. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { thinSamples } from '@/lib/portal/entry/retention/thin'
import { listedId, openDesk } from '@/tests/portal/spine/desk'
import { forgetProcess } from '@/tests/support/reset-process'
import { seededRuns } from '@/tests/support/seeds'

const now = new Date('2026-11-22T10:17:00Z').getTime()
const minute = Math.floor(now / 60_000)
const [hour, day] = [60, 24 * 60]

const keep = (serverId: string, ages: readonly number[]) =>
  db().$executeRaw`
    INSERT INTO "Sample" ("serverId", "at", "reachable")
    SELECT DISTINCT ${serverId}, ${minute} - value, true FROM json_each(${JSON.stringify(ages)})`

const left = async () =>
  (await db().sample.findMany({ orderBy: [{ serverId: 'asc' }, { at: 'asc' }] })).map(({ serverId, at }) => `${serverId} ${at}`)

test('two days stay complete, a month keeps the newest sample of each hour, and nothing is older', async () => {
  await using desk = await openDesk('owner')
  const { serverId } = desk
  await keep(
    serverId,
    Array.from({ length: (40 * day) / 5 }, (_, index) => index * 5),
  )
  await thinSamples(now)
  const ages = (await db().sample.findMany({ select: { at: true } })).map(({ at }) => minute - at)
  expect(ages.filter((age) => age <= 2 * day)).toHaveLength(2 * 288 + 1)
  const old = ages.filter((age) => age > 2 * day + hour)
  expect(old.length).toBeGreaterThan(27 * 24)
  expect(old.length).toBeLessThan(28 * 24 + 2)
  expect(Math.max(...ages)).toBeLessThanOrEqual(30 * day)
  expect(old.every((age) => (minute - age) % hour === 57 || age > 30 * day - hour)).toBe(true)
})

test('thinning twice changes nothing more, and each server keeps its own newest samples', async () => {
  await using desk = await openDesk('owner')
  desk.upstream.addServer({ name: 'beta' })
  forgetProcess()
  const ids = [desk.serverId, await listedId(desk.actor, 'beta')]
  const ages = fc.array(fc.integer({ min: 0, max: 32 * day }), { maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(ages, ages, async (first, second) => {
      await db().sample.deleteMany()
      const given = [first, second]
      for (const [index, id] of ids.entries()) await keep(id, given[index] ?? [])
      await thinSamples(now)
      const once = await left()
      expect(await thinSamples(now)).toBe(0)
      expect(await left()).toEqual(once)
      for (const [index, id] of ids.entries()) {
        const newest = Math.min(...(given[index] ?? []))
        if (newest <= 30 * day) expect(once).toContain(`${id} ${minute - newest}`)
      }
    }),
    { numRuns: seededRuns(100) },
  )
})
