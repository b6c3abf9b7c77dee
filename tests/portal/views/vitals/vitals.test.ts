/** What the list of servers shows beside each: to whom, from which samples, and how much of it goes over the wire. */
import { expect, test } from 'vitest'
import { summarizeFigures } from '@/app/_shared/servers/figures'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { orderOf } from '@/lib/portal/subjects/listing/version'
import { findKnownServers } from '@/lib/portal/subjects/servers/list'
import { figureNames, readFigureColumns } from '@/lib/portal/views/vitals/figures'
import { maxVitals, readVitals, readVitalsOf, type VitalsLine } from '@/lib/portal/views/vitals/vitals'
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
  load: disk === null ? null : disk / 100,
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

const byId = (vitals: VitalsLine[]) => new Map(vitals.map(([id, ...rest]) => [id, rest]))

test('the newest measurement of a day counts, also while the server is unreachable; older ones do not', async () => {
  await using scene = await openMeasured()
  const vitals = byId(await readVitals(scene.owner, now))
  expect(vitals.get(scene.heron)).toEqual([25, 75, 10, 7, 2, minute - 60, 0.5])
  expect(vitals.get(scene.otter)).toEqual([null, null, null, 0, 1, null, null])
})

test('a member gets the figures and the day of servers whose summary they may read, and of no other', async () => {
  await using scene = await openMeasured()
  const guest = await scene.team.join('guest')
  expect(await readVitals(guest, now)).toEqual([])
  const both = [scene.heron, scene.otter]
  expect((await readVitalsOf(guest, both, now)).vitals).toEqual([])
  await give(guest, { kind: 'server', id: scene.otter })
  expect([...byId(await readVitals(guest, now)).keys()]).toEqual([scene.otter])
  const { vitals, days } = await readVitalsOf(guest, both, now)
  expect([[...byId(vitals).keys()], days.length]).toEqual([[scene.otter], 1])
  const [known, { order, columns }] = [await findKnownServers(guest), await readFigureColumns(guest, ['sites'], now)]
  expect(order).toBe(orderOf(known?.servers ?? []))
  expect(columns).toEqual({ sites: known?.servers.map(({ id }) => (id === scene.otter ? 1 : -1)) })
})

test('servers that are read by id have the same figures as in the whole list, and a letter for each hour, oldest first', async () => {
  await using scene = await openMeasured()
  const read = async () => readVitalsOf(scene.owner, [scene.otter, scene.heron, 'no id'], now)
  const { vitals, days, from } = await read()
  const whole = byId(await readVitals(scene.owner, now))
  expect(byId(vitals)).toEqual(new Map([scene.otter, scene.heron].map((id) => [id, whole.get(id)])))
  expect(from).toBe(minute - 30 - 23 * 60)
  const dayOf = (id: string, list: typeof vitals, letters: string[]) => letters[list.findIndex((line) => line[0] === id)]
  expect(dayOf(scene.heron, vitals, days)).toBe(`${'-'.repeat(20)}uu-d`)
  expect(dayOf(scene.otter, vitals, days)).toBe('-'.repeat(24))
  await db().sample.create({ data: sample(scene.heron, 1, 50) })
  const later = await read()
  expect(dayOf(scene.heron, later.vitals, later.days)?.at(-1)).toBe('p')
})

test('single figures of all servers are in the order of the list, and read only if the list needs them', async () => {
  await using scene = await openMeasured()
  const servers = (await findKnownServers(scene.owner))?.servers ?? []
  const { order, columns } = await readFigureColumns(scene.owner, ['disk', 'backupAt'], now)
  expect(order).toBe(orderOf(servers))
  const at = servers.findIndex(({ id }) => id === scene.heron)
  expect([columns.disk?.[at], columns.backupAt?.[at], columns.disk?.length]).toEqual([25, minute - 60, servers.length])
  expect(await readFigureColumns(scene.owner, [], now)).toEqual({ order: '', columns: {} })
  const { counts, filled } = summarizeFigures(await readVitals(scene.owner, now))
  expect(counts.updates).toEqual([
    { value: 'any', count: 1 },
    { value: 'security', count: 1 },
  ])
  expect(filled).toEqual(['disk', 'memory', 'load', 'updates', 'sites', 'backup'])
})

test('the figures on screen take less than 4 KB, and any single figure of 10,000 servers less than 120 KB', () => {
  const line = (index: number): VitalsLine => [
    createOpaqueId(),
    index % 100,
    (index * 7) % 100,
    index % 9,
    index % 4,
    index % 30,
    minute - (index % 900),
    (index % 400) / 100,
  ]
  const vitals = Array.from({ length: 10_000 }, (_, index) => line(index))
  const rows = 40
  const onScreen = { vitals: vitals.slice(0, rows), days: Array<string>(rows).fill('u'.repeat(24)), from: minute }
  expect(JSON.stringify(onScreen).length).toBeLessThan(4096)
  expect(rows).toBeLessThan(maxVitals)
  expect(JSON.stringify(summarizeFigures(vitals)).length).toBeLessThan(600)
  for (const [at] of figureNames.entries()) expect(JSON.stringify(vitals.map((one) => one[at + 1])).length).toBeLessThan(120 * 1024)
})
