/** Sites of earlier versions are brought up to date at night, where the account says so. */
import { expect, test } from 'vitest'
import { hourIn } from '@/lib/service/nightly-upgrades'
import { register } from './conformance/servers'
import { get, post, readInstall, readRevert, readUpgrade, type Target } from './support/caller'
import { openTestService } from './support/service'
import { createSite } from './support/slow-work'

/** Half past that hour, so many days after today. */
const at = (hour: number, days: number) => new Date(new Date().setUTCHours(hour, 30, 0, 0) + days * 86_400_000)
const [evening, night, nextNight, weekLater] = [at(21, 0), at(4, 1), at(4, 2), at(4, 9)] as const

async function serverWithOlderSite(target: Target): Promise<string> {
  const { id } = await register(target, { provider: 'sandbox', host: 'night.test', port: '22', user: 'root', pass: 'open' }, 'web')
  await readInstall(target, id)
  await createSite(target, { domain: 'old.example.org', server: id, password: 'let me in, please' })
  return id
}

const summaryOf = async (target: Target, id: string) =>
  ((await get(target, `/servers/${id}/summary`)).body.item as Record<string, unknown>[])[0]
const say = (target: Target, id: string, status: '1' | '0') => post(target, `/servers/${id}/upgrade/night`, { status })
const domains = ['old.example.org']

test('nothing begins unless the account said so, by day, or for another account', async () => {
  await using service = await openTestService({ summarySharedMs: 0 })
  const id = await serverWithOlderSite(service)
  expect(await summaryOf(service, id)).toMatchObject({ outdated_sites: domains, upgrades_at_night: false })
  await service.beginNight(night)
  const stranger = { ...service, key: await service.createKey('stranger') }
  expect(await say(stranger, id, '1')).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect(await say(service, id, '1')).toMatchObject({ status: 200, body: { success: true } })
  await service.beginNight(evening)
  const { night_run: run, ...summary } = (await summaryOf(service, id)) ?? {}
  expect([run, summary]).toMatchObject([undefined, { outdated_sites: domains, upgrades_at_night: true }])
})

test('at night the job begins once, is followed like any other, and is not begun again within a week', async () => {
  await using service = await openTestService({ summarySharedMs: 0 })
  const id = await serverWithOlderSite(service)
  await say(service, id, '1')
  await service.beginNight(night)
  const { night_run: run } = (await summaryOf(service, id)) ?? {}
  expect(run).toMatch(/./)
  const { events } = await readUpgrade(service, id, { lastEventId: 0 })
  expect(events.at(-1)).toMatchObject({ status: 'done' })
  expect(await summaryOf(service, id)).toMatchObject({ outdated_sites: [], night_run: run })
  await createSite(service, { domain: 'old.example.net', server: id, password: 'let me in, please' })
  await service.beginNight(nextNight)
  expect(await summaryOf(service, id)).toMatchObject({ outdated_sites: ['old.example.net'], night_run: run })
  await service.beginNight(weekLater)
  await readUpgrade(service, id, { lastEventId: 0 })
  const later = await summaryOf(service, id)
  expect(later).toMatchObject({ outdated_sites: [] })
  expect(later?.night_run).not.toBe(run)
})

test('who takes it back does not get it again the next night', async () => {
  await using service = await openTestService({ summarySharedMs: 0 })
  const id = await serverWithOlderSite(service)
  await say(service, id, '1')
  await service.beginNight(night)
  await readUpgrade(service, id, { lastEventId: 0 })
  expect((await readRevert(service, id)).events.at(-1)).toMatchObject({ status: 'done' })
  expect(await summaryOf(service, id)).toMatchObject({ outdated_sites: domains, upgrades_at_night: false })
})

test('a server without sites is of an earlier version too, until it is brought up to date', async () => {
  await using service = await openTestService({ summarySharedMs: 0 })
  const login = { provider: 'sandbox', host: 'old.test', port: '22', user: 'root', pass: 'open' }
  const { id } = await register(service, login, 'web')
  await readInstall(service, id)
  expect(await summaryOf(service, id)).toMatchObject({ outdated_server: true, outdated_sites: [] })
  await say(service, id, '1')
  await service.beginNight(night)
  expect((await readUpgrade(service, id, { lastEventId: 0 })).events.at(-1)).toMatchObject({ status: 'done' })
  expect(await summaryOf(service, id)).toMatchObject({ outdated_server: false })
  await readRevert(service, id)
  expect(await summaryOf(service, id)).toMatchObject({ outdated_server: true })
})

test.each([
  ['Europe/Berlin', 5],
  ['America/New_York', 23],
  ['', 4],
  ['Nowhere/At-All', 4],
])('the hour is the one of the server: %s', (zone, hour) => {
  expect(hourIn(zone, new Date('2026-11-26T04:30:00Z'))).toBe(hour)
})
