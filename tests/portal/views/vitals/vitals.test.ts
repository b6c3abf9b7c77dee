/** What the list of servers shows beside each: to whom, from which samples, and how much of it goes over the wire. */
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { maxTickServers, readTicks } from '@/lib/portal/views/vitals/ticks'
import { answerVitalsSince, readVitals, type VitalsLine } from '@/lib/portal/views/vitals/vitals'
import { give, openScene } from '@/tests/portal/access/grants/scene'

const now = Math.floor(Date.now() / 3_600_000) * 3_600_000 + 30 * 60_000
const minute = Math.floor(now / 60_000)

const sample = (serverId: string, minutesAgo: number, disk: number | null, reachable = true) => ({
  serverId,
  at: minute - minutesAgo,
  reachable,
  diskUsed: disk,
  diskTotal: disk === null ? null : 200,
  memUsed: disk === null ? null : 3,
  memTotal: disk === null ? null : 4,
  updates: disk === null ? null : disk / 5,
})

async function openMeasured() {
  const scene = await openScene()
  const [heron, otter] = [scene.idOf('heron-1'), scene.idOf('otter-1')]
  await db().server.updateMany({ data: { state: 'ready' } })
  await db().sample.createMany({
    data: [sample(heron, 200, 10), sample(heron, 100, 50), sample(heron, 5, null, false), sample(otter, 26 * 60, 90)],
  })
  await db().finding.create({ data: { serverId: heron, kind: 'security_updates', since: new Date(), detail: '7' } })
  const at = new Date(now - 3_600_000)
  const times = { startedAt: at, heardAt: at, endedAt: at }
  const about = { teamId: scene.team.id, serverId: heron, operation: 'event.backup', serverEvent: 'one', targetName: 'heron-1' }
  await db().job.create({ data: { id: createOpaqueId(), ...about, ...times, state: 'done', lease: '' } })
  return { ...scene, heron, otter, [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose]() }
}

const byId = ({ vitals }: { vitals: VitalsLine[] }) => new Map(vitals.map(([id, ...rest]) => [id, rest]))

test('the newest measurement of a day counts, also while the server is unreachable; older ones do not', async () => {
  await using scene = await openMeasured()
  const vitals = byId(await readVitals(scene.owner, now))
  expect(vitals.get(scene.heron)).toEqual([25, 75, 10, 7, 2, minute - 60])
  expect(vitals.get(scene.otter)).toEqual([null, null, null, 0, 1, null])
})

test('a member gets the figures and the day of servers whose summary they may read, and of no other', async () => {
  await using scene = await openMeasured()
  const guest = await scene.team.join('guest')
  expect(await readVitals(guest, now)).toEqual({ vitals: [] })
  const both = [scene.heron, scene.otter]
  expect((await readTicks(guest, both, now)).ticks).toEqual({})
  await give(guest, { kind: 'server', id: scene.otter })
  expect([...byId(await readVitals(guest, now)).keys()]).toEqual([scene.otter])
  expect(Object.keys((await readTicks(guest, both, now)).ticks)).toEqual([scene.otter])
})

test('the last day has a letter for each hour, oldest first', async () => {
  await using scene = await openMeasured()
  const { from, ticks } = await readTicks(scene.owner, [scene.heron, scene.otter, 'no id'], now)
  expect(from).toBe(minute - 30 - 23 * 60)
  expect(ticks[scene.heron]).toBe(`${'-'.repeat(20)}uu-d`)
  expect(ticks[scene.otter]).toBe('-'.repeat(24))
  await db().sample.create({ data: sample(scene.heron, 1, 50) })
  expect((await readTicks(scene.owner, [scene.heron], now)).ticks[scene.heron]?.at(-1)).toBe('p')
})

test('an answer that the page has already is a few bytes, and what is on screen stays small', async () => {
  const line = (index: number): VitalsLine => [
    createOpaqueId(),
    index % 100,
    (index * 7) % 100,
    index % 9,
    index % 4,
    index % 30,
    minute - (index % 900),
  ]
  const vitals = Array.from({ length: 10_000 }, (_, index) => line(index))
  const text = await answerVitalsSince({ vitals }, null)
  const { version } = JSON.parse(text)
  expect((await answerVitalsSince({ vitals }, version)).length).toBeLessThan(80)
  const ticks = Object.fromEntries(vitals.slice(0, maxTickServers).map(([id]) => [id, 'u'.repeat(24)]))
  const onScreen = JSON.stringify({ vitals: vitals.slice(0, maxTickServers), ticks })
  expect(onScreen.length).toBeLessThan(12_000)
  expect(gzipSync(text).length).toBeLessThan(320_000)
})
