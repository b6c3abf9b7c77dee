/** The daily summary: once a day at its time, in the member's time zone, of what the member sees. */
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { changeChannel } from '@/lib/portal/delivery/change'
import { deliver } from '@/lib/portal/delivery/deliver'
import { type HookReceiver, startHookReceiver } from '@/tests/support/hook-receiver'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { add, everyTopic, hour, limitTo, minute } from './scene'
import { createServer } from './servers'

const linesOf = ({ received }: HookReceiver): string[][] => received.map(({ body }) => JSON.parse(body).lines)

const day = 24 * hour

/** A team with a server, and its owner's webhook that gets a summary at 07:00 and nothing else. */
async function openScene(more: Readonly<Record<string, string>> = {}) {
  const database = await openPortalDatabase()
  const receiver = await startHookReceiver()
  const team = await createTeam()
  const actor = await team.join('owner')
  await createServer(team.id, 'web-1')
  const fields = { kind: 'webhook', url: `${receiver.origin}/hook`, topics: '', digestAt: '07:00', ...more }
  const { channelId } = await add(actor, fields)
  return {
    receiver,
    actor,
    fields,
    channelId,
    async [Symbol.asyncDispose]() {
      await receiver[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

/** The next time it is this late in UTC, at least a day from now. */
function nextAt(hours: number): number {
  const tomorrow = new Date(Date.now() + day)
  return Date.UTC(tomorrow.getUTCFullYear(), tomorrow.getUTCMonth(), tomorrow.getUTCDate(), hours)
}

test('once a day, in the time zone of the channel, also after a failure and after a night without Gatehouse', async () => {
  await using scene = await openScene({ timeZone: 'Asia/Tokyo' })
  const { receiver, actor, fields, channelId } = scene
  // 07:00 in Tokyo is 22:00 UTC of the day before.
  const seven = nextAt(22)
  await deliver(new Date(seven - day))
  receiver.received.length = 0
  await deliver(new Date(seven - 60_000))
  expect(receiver.received).toHaveLength(0)
  receiver.answer(500)
  await deliver(new Date(seven))
  receiver.answer(200)
  for (const later of [5, 10, 60, 600]) await deliver(new Date(seven + later * 60_000))
  expect(receiver.received).toHaveLength(2)
  expect(new Set(receiver.received.map(({ headers }) => headers['gatehouse-delivery'])).size).toBe(1)
  await deliver(new Date(seven + 2 * day + 9 * hour))
  expect(receiver.received).toHaveLength(3)
  expect(await changeChannel(inputOf(actor, { ...fields, label: 'x', channelId, digestAt: '', topics: everyTopic }))).toMatchObject({
    ok: true,
  })
  await deliver(new Date(seven + 4 * day))
  expect(receiver.received).toHaveLength(3)
})

test('a summary that waits is replaced by the next one', async () => {
  await using scene = await openScene()
  const { receiver } = scene
  await receiver.down()
  const seven = nextAt(7)
  for (let at = seven; at < seven + 3 * day; at += 4 * hour) await deliver(new Date(at))
  await receiver.up()
  await deliver(new Date(seven + 3 * day - hour))
  expect(receiver.received).toHaveLength(1)
  expect(await db().delivery.count({ where: { state: 'waiting' } })).toBe(0)
})

test('it says what was backed up, what is unreachable and what waits, of what the member sees and nothing else', async () => {
  await using _ = await openPortalDatabase()
  await using receiver = await startHookReceiver()
  const team = await createTeam()
  const [owner, member] = [await team.join('owner'), await team.join('operator')]
  const [one, two] = [await createServer(team.id, 'web-1', ['a.example', 'b.example']), await createServer(team.id, 'web-2', ['c.example'])]
  const at = nextAt(7)
  const job = (serverId: string, state: 'done' | 'failed', endedAt: Date) => ({
    id: `job-${serverId}`,
    teamId: team.id,
    operation: 'event.backup',
    serverId,
    targetName: 'x',
    state,
    lease: '',
    startedAt: endedAt,
    heardAt: endedAt,
    endedAt,
  })
  await db().job.createMany({ data: [job(one, 'done', new Date(at - 4 * hour)), job(two, 'failed', new Date(at - 3 * hour))] })
  const since = new Date(at - 40 * hour)
  await db().finding.createMany({
    data: [
      { serverId: two, kind: 'unreachable', since, detail: 'No route.' },
      { serverId: one, kind: 'security_updates', since, detail: '3' },
    ],
  })
  await limitTo(member, one)
  await add(owner, { kind: 'webhook', url: `${receiver.origin}/owner`, topics: '', digestAt: '07:00' })
  await add(member, { kind: 'webhook', url: `${receiver.origin}/member`, topics: '', digestAt: '07:00' })
  await deliver(new Date(at))
  const lines = Object.fromEntries(receiver.received.map(({ path, body }) => [path, JSON.parse(body).lines]))
  expect(lines['/owner']).toEqual([
    '2 of 3 sites backed up.',
    '1 of 2 servers unreachable: web-2.',
    '1 server has security updates waiting: web-1.',
    '1 job failed in the last 24 hours.',
  ])
  expect(lines['/member']).toEqual(['2 of 2 sites backed up.', 'The server is reachable.', '1 server has security updates waiting: web-1.'])
  expect(linesOf(receiver)).toHaveLength(2)
})

test('a summary of 23:30 is made once, also if no round comes before midnight, and not for the time before the channel', async () => {
  await using scene = await openScene({ digestAt: '23:30' })
  const { receiver } = scene
  await deliver(new Date())
  expect(receiver.received).toHaveLength(0)
  const due = nextAt(23) + 30 * minute
  await deliver(new Date(due - minute))
  receiver.received.length = 0
  for (const later of [31, 32, 600, 20 * 60]) await deliver(new Date(due + later * minute))
  expect(receiver.received).toHaveLength(1)
  await deliver(new Date(due + day))
  expect(receiver.received).toHaveLength(2)
})

test('a summary and the mark that it was made are stored together', async () => {
  await using scene = await openScene()
  const { receiver } = scene
  const seven = nextAt(7)
  await db().$executeRawUnsafe(`CREATE TRIGGER crash BEFORE INSERT ON Delivery BEGIN SELECT RAISE(ABORT, 'crash'); END`)
  await expect(deliver(new Date(seven))).rejects.toThrow()
  await db().$executeRawUnsafe('DROP TRIGGER crash')
  await deliver(new Date(seven + minute))
  expect(receiver.received).toHaveLength(1)
})

test('a mark from the future, of a clock that was wrong, holds no summary back; one of tomorrow does not make a second one', async () => {
  await using scene = await openScene()
  const { receiver } = scene
  const seven = nextAt(7)
  const markAs = (digestedOn: string) => db().channel.updateMany({ data: { digestedOn } })
  await markAs(new Date(seven + day).toISOString().slice(0, 10))
  await deliver(new Date(seven))
  expect(receiver.received).toHaveLength(0)
  await markAs('2999-01-01')
  for (const later of [0, 1, 2]) await deliver(new Date(seven + later * minute))
  expect(receiver.received).toHaveLength(1)
})
