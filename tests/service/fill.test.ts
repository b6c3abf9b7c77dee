/** Adding many simulated servers by command. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createSeedServer } from '@/lib/service/machines/sandbox/seed'
import { ensureAccount } from '@/lib/service/store/accounts'
import { openStore } from '@/lib/service/store/db'
import { fillAccount } from '@/lib/service/store/seed'
import { get, readInstall } from './support/caller'
import { makePlace, runFill } from './support/process'
import { openTestService } from './support/service'

type Listed = { id: string; name: string; hostname: string; state: string; provider: string; ip: string; host_key: string }

test('the generated servers are the same every time, with unique names, hosts and addresses', () => {
  const now = Date.now()
  const crowd = Array.from({ length: 10_000 }, (_, n) => createSeedServer(n, now))
  for (const member of ['name', 'host', 'ip', 'hostKey'] as const) expect(new Set(crowd.map((each) => each[member])).size).toBe(10_000)
  expect(createSeedServer(4711, now)).toEqual(crowd[4711])
  const count = (what: (name: string, state: string) => boolean) => crowd.filter(({ name, state }) => what(name, state)).length
  for (const temper of ['slow-', 'flaky-', 'fail-']) expect(count((name) => name.startsWith(temper))).toBeGreaterThan(100)
  for (const state of ['new', 'failed', 'ready']) expect(count((_, own) => own === state)).toBeGreaterThan(300)
})

test('an account is filled while the service runs, a second run continues, and the servers work like any others', async () => {
  await using service = await openTestService()
  const other = { ...service, key: await service.createKey('other') }
  const db = openStore(join(service.dir, 'data', 'service.db'))
  const fill = async (account: string, count: number) => fillAccount(db, (await ensureAccount(db, account)).id, count)
  await fill('default', 1030)
  await fill('default', 10)
  await fill('other', 3)
  await db.$disconnect()
  const list = async (target: typeof other) => (await get(target, '/servers/')).body.items as Listed[]
  const items = await list(service)
  expect(items).toHaveLength(1040)
  expect(new Set(items.map(({ host_key }) => host_key)).size).toBe(1040)
  expect(await list(other)).toHaveLength(3)
  const ready = items.find(({ state, name }) => state === 'ready' && !/^(slow|fail|flaky)-/.test(name))
  const { body } = await get(service, `/servers/${ready?.id}/summary`)
  const { name, hostname, ip } = ready ?? {}
  expect(body).toMatchObject({ item: [{ name, hostname, ip, state: 'ready', php: expect.stringMatching(/\d/) }] })
  const failed = items.find(({ state }) => state === 'failed')
  const install = await readInstall(service, failed?.id ?? '')
  expect(install.events.at(-1)).toMatchObject({ status: 'done', progress: 100 })
}, 60_000)

test('anything but a number of servers prints the usage and creates nothing', async () => {
  using place = await makePlace()
  const { code, stdout, stderr } = await runFill(place, '5', '6')
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^usage: npm run sandbox:fill/)
  expect(existsSync(join(place.dir, 'data'))).toBe(false)
}, 60_000)
