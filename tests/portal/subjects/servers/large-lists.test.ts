/** Services that list more servers than a page can show. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import type { Person as Actor } from '@/lib/portal/identity/actor'
import { answerSince, listServers } from '@/lib/portal/subjects/servers/list'
import { runOperation } from '@/lib/portal/subjects/spine'
import { readPalette } from '@/lib/portal/views/palette/entries'
import { measureStall } from '@/tests/support/longest-stall'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { forgetProcess } from '@/tests/support/reset-process'
import { startBareServer } from '../../upstream/egress-call'

const sent = 60_000
const taken = 20_000
/** The largest part of the work that may be done in one go: of a poll, which takes seconds, and of what takes less. */
const [ofPoll, ofLess] = [0.08, 0.25]

/** The whole answer, made before anything is measured. */
function makeAnswer(count: number, nameOf: (index: number) => string, list = (items: object[]): unknown => items): Buffer {
  const items = Array.from({ length: count }, (_, index) => ({
    id: `srv-${index}`,
    name: nameOf(index),
    hostname: `h${index}.example.org`,
    dns: `h${index}.example.org`,
    ip: '192.0.2.1',
  }))
  const body = JSON.stringify({ success: true, items: list(items) })
  return Buffer.from(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
}

async function openScene(first: Buffer) {
  const portal = await openPortalDatabase()
  let answer = first
  const upstream = await startBareServer((socket) => socket.on('data', () => socket.write(answer)))
  const team = await createTeam()
  const actor = await team.join('viewer')
  await team.connect(upstream)
  return {
    actor,
    speak: (next: Buffer) => {
      forgetProcess()
      answer = next
    },
    async [Symbol.asyncDispose]() {
      await upstream[Symbol.asyncDispose]()
      await portal[Symbol.asyncDispose]()
    },
  }
}

/** One poll of the page, and how long the event loop stood still meanwhile, of all the time that it computed. */
async function poll(actor: Actor) {
  const { result, stalled } = await measureStall(async () => {
    const list = await listServers(actor)
    return { list, body: await answerSince(list, null) }
  })
  return { ...result, stalled }
}

test('of 60,000 servers the first 20,000 are taken and it is said that there are more; the portal stands still at no time', {
  timeout: 180_000,
  retry: 1,
}, async () => {
  // A first list loads and compiles what the second one is measured with.
  await using scene = await openScene(makeAnswer(2_000, (index) => `warm ${index}`))
  await poll(scene.actor)
  scene.speak(makeAnswer(sent, (index) => `name ${index}`))
  const { list, body, stalled } = await poll(scene.actor)
  expect(list.servers).toHaveLength(taken)
  expect(list.connections).toMatchObject([{ problem: null, cut: { shown: taken, total: sent } }])
  expect(JSON.parse(body).servers).toHaveLength(taken)
  expect(await db().server.count({ where: { goneAt: null } })).toBe(taken)
  scene.speak(makeAnswer(sent, (index) => `another name ${index}`))
  const changed = await poll(scene.actor)
  expect(changed.list.servers.filter(({ name }) => name.startsWith('another name'))).toHaveLength(taken)
  const palette = await measureStall(() => readPalette(scene.actor))
  expect(palette.result.servers).toHaveLength(taken)
  expect(palette.result.servers.slice(0, 3).map(({ name }) => name)).toEqual(['another name 0', 'another name 1', 'another name 10'])
  expect(palette.stalled).toBeLessThan(ofLess)
  scene.speak(makeAnswer(2, () => 'few'))
  const few = await poll(scene.actor)
  expect(few.list.servers).toHaveLength(2)
  expect(few.list.connections).toMatchObject([{ cut: null }])
  for (const each of [stalled, changed.stalled]) expect(each).toBeLessThan(ofPoll)
})

test('a list sent as an object keyed by numbers is read the same way', { timeout: 180_000, retry: 1 }, async () => {
  await using scene = await openScene(makeAnswer(1, () => 'one'))
  await poll(scene.actor)
  scene.speak(
    makeAnswer(
      40_000,
      (index) => `name ${index}`,
      (items) => ({ ...items }),
    ),
  )
  const { list, stalled } = await poll(scene.actor)
  expect(list.servers).toHaveLength(taken)
  expect(list.connections).toMatchObject([{ cut: { shown: taken, total: 40_000 } }])
  expect(stalled).toBeLessThan(ofPoll)
})

test('other lists are truncated the same way, and their pages say so', { timeout: 180_000, retry: 1 }, async () => {
  const answerOf = (members: object) => {
    const body = JSON.stringify({ success: true, ...members })
    return Buffer.from(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }
  const cronjobs = Array.from({ length: sent }, (_, index) => ({ line: index, user: 'root', command: `true # ${index}`, minute: '*' }))
  await using scene = await openScene(makeAnswer(1, () => 'one'))
  const { list } = await poll(scene.actor)
  scene.speak(answerOf({ cronjobs }))
  const { result, stalled } = await measureStall(() =>
    runOperation(scene.actor, contract.cron.list, { serverId: list.servers[0]?.id ?? '' }),
  )
  expect(result).toMatchObject({ ok: true, cut: { shown: taken, total: sent } })
  expect(result.ok && result.data.cronjobs).toHaveLength(taken)
  expect(stalled).toBeLessThan(ofLess)
})
