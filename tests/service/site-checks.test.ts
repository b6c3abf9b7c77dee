/** Sites are checked in the background: rarely, once for everybody who asks, and never so that a list waits. */
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { problem } from '@/lib/contract/problem'
import { createDnsLookup, type LookUpDns } from '@/lib/service/dns'
import { readCatalogue } from '@/lib/service/machines/apps/catalogue'
import type { Fleet } from '@/lib/service/machines/fleet'
import { type Machine, MachineFailure } from '@/lib/service/machines/machine'
import type { Sites } from '@/lib/service/machines/sites'
import { createSiteChecks } from '@/lib/service/site-checks'
import { openStore } from '@/lib/service/store/db'
import type { MachineRow } from '@/lib/service/store/machines'
import { openRing } from '@/lib/service/store/ring'
import { addressRecord, mailRecord, startNameServer } from './support/name-server'
import { keepMachine, openTestService } from './support/service'

const here: LookUpDns = async () => ({ address: '192.0.2.7', mx: 'mail.example.org' })

type SceneOptions = {
  facts: Sites['facts']
  lookUpDns?: LookUpDns
  everyMs?: number
}

async function openScene({ facts, lookUpDns = here, everyMs = 60_000 }: SceneOptions) {
  const service = await openTestService()
  const machineId = await keepMachine(service, { host: '127.0.0.1', port: 9 })
  const db = openStore(join(service.dir, 'data', 'service.db'))
  const store = { db, ring: await openRing(db, join(service.dir, 'keys', 'kek.key')) }
  const fleet = { machine: () => ({ sites: { facts } }) as unknown as Machine } as unknown as Fleet<MachineRow>
  const checks = createSiteChecks({ store, fleet, log: { warn: () => {} }, lookUpDns, catalogue: readCatalogue(), everyMs })
  const addSite = (name: string) =>
    db.site.create({ data: { id: name, machineId, name, domain: `${name}.example.org`, state: 'ready', usage: '1', answers: true } })
  await addSite('one')
  return {
    checks,
    machineId,
    addSite,
    findings: async () => {
      const rows = await db.site.findMany({ orderBy: { name: 'asc' } })
      return rows.map(({ name, usage, answers, address, mx }) => ({ name, usage, answers, address, mx }))
    },
    apps: async () => (await db.site.findMany({ orderBy: { name: 'asc' } })).map(({ app, appVersion }) => `${app} ${appVersion}`.trim()),
    backups: async () => (await db.site.findMany({ orderBy: { name: 'asc' } })).map(({ backupAt }) => backupAt),
    async [Symbol.asyncDispose]() {
      await checks.stop()
      await db.$disconnect()
      await service[Symbol.asyncDispose]()
    },
  }
}

test('a check stores what the server and DNS say, and is shared by everybody who asks', async () => {
  const asked: string[][] = []
  await using scene = await openScene({
    facts: async (sites) => {
      asked.push(sites.map(({ name }) => name))
      return new Map([
        [
          'one',
          {
            usedBytes: 5_000_000_000,
            answers: false,
            ssl: false,
            mail: false,
            certificate: null,
            settings: null,
            backupAt: '2026-11-25T02:14:00Z',
          },
        ],
      ])
    },
  })
  await scene.addSite('two')
  await Promise.all(Array.from({ length: 10 }, () => scene.checks.refresh(scene.machineId)))
  await scene.checks.refresh(scene.machineId)
  expect(asked).toEqual([['one', 'two']])
  const found = { address: '192.0.2.7', mx: 'mail.example.org' }
  // The second site is not on the server.
  expect(await scene.findings()).toEqual([
    { name: 'one', usage: '5000000000', answers: false, ...found },
    { name: 'two', usage: '', answers: false, ...found },
  ])
  expect(await scene.backups()).toEqual(['2026-11-25T02:14:00Z', null])
})

test.each([
  ['a site', 'one', ['one']],
  ['the server', null, ['one', 'two']],
])('what was read before some work on %s ended is read once more after it, and nothing else is', async (_, worked, again) => {
  const asked: string[][] = []
  await using scene = await openScene({
    facts: async (sites) => {
      const names = sites.map(({ name }) => name).sort()
      const answers = asked.length > 0
      asked.push(names)
      if (!answers) scene.checks.forget(scene.machineId, worked)
      return new Map(
        names.map((name) => [name, { usedBytes: 1, answers, ssl: false, mail: false, certificate: null, settings: null, backupAt: '' }]),
      )
    },
  })
  await scene.addSite('two')
  await scene.checks.refresh(scene.machineId)
  expect(asked).toEqual([['one', 'two'], again])
  expect((await scene.findings()).filter(({ answers }) => answers).map(({ name }) => name)).toEqual(again)
})

test('after work on a server only its new site is checked early', async () => {
  const asked: string[][] = []
  await using scene = await openScene({
    facts: async (sites) => {
      asked.push(sites.map(({ name }) => name))
      return new Map()
    },
  })
  await scene.checks.refresh(scene.machineId)
  await scene.addSite('two')
  await scene.checks.refresh(scene.machineId)
  scene.checks.forget(scene.machineId, null)
  await scene.checks.refresh(scene.machineId)
  expect(asked).toEqual([['one'], ['two']])
})

test('a site that was not asked because others took too long stays as it is, and is the first of the next check', async () => {
  const asked: string[][] = []
  const checked = { usedBytes: 2, answers: false, ssl: false, mail: false, certificate: null, settings: null, backupAt: '' }
  await using scene = await openScene({
    facts: async (sites) => {
      const names = sites.map(({ name }) => name)
      asked.push(names)
      return new Map(names.map((name, at) => [name, at === 0 ? checked : null]))
    },
    everyMs: 1,
  })
  await scene.addSite('two')
  for (let at = 0; at < 2; at++) {
    await scene.checks.refresh(scene.machineId)
    if (at === 0)
      expect(await scene.findings()).toMatchObject([
        { name: 'one', usage: '2', answers: false },
        { name: 'two', usage: '1', answers: true, address: '192.0.2.7' },
      ])
    await delay(5)
  }
  expect(asked).toEqual([
    ['one', 'two'],
    ['two', 'one'],
  ])
})

test('a server that does not answer, and a resolver that does not, leave what is known', async () => {
  await using scene = await openScene({
    facts: () => Promise.reject(new MachineFailure(problem('unreachable'))),
    lookUpDns: async () => ({}),
  })
  await scene.checks.refresh(scene.machineId)
  expect(await scene.findings()).toEqual([{ name: 'one', usage: '1', answers: true, address: '', mx: '' }])
})

test('DNS is asked of the configured resolver; an unknown name is an answer, and a sandbox site is not looked up', async () => {
  const addresses = [addressRecord(192, 0, 2, 7), addressRecord(192, 0, 2, 8)]
  const mail = [mailRecord(20, 'second.test'), mailRecord(10, 'first.test')]
  await using names = await startNameServer((name, type) => (name !== 'known.test' ? [] : type === 15 ? mail : addresses))
  const lookUp = createDnsLookup([names.address])
  const server = { provider: 'ssh', ip: '192.0.2.1' }
  const known = await lookUp(server, 'known.test')
  expect({ ...known, address: known.address?.split(', ').sort() }).toEqual({
    address: ['192.0.2.7', '192.0.2.8'],
    mx: 'first.test, second.test',
  })
  expect(await lookUp(server, 'nowhere.test')).toEqual({ address: '', mx: '' })
  const before = names.asked()
  expect(await lookUp({ ...server, provider: 'sandbox' }, 'known.test')).toEqual({ address: '192.0.2.1', mx: 'mail.known.test' })
  expect(names.asked()).toBe(before)
})

test('whoever owns a domain decides neither how much of the list its records take, nor puts control characters there', async () => {
  const addresses = Array.from({ length: 60 }, (_, at) => addressRecord(192, 0, 2, at))
  const mail = Array.from({ length: 9 }, (_, at) => mailRecord(at, `a\u0007\u001b[31m${'x'.repeat(50)}.mail${at}.test`))
  await using names = await startNameServer((_name, type) => (type === 15 ? mail : addresses))
  const found = await createDnsLookup([names.address])({ provider: 'ssh', ip: '192.0.2.59' }, 'crowded.test')
  expect(found.address).toMatch(/^192\.0\.2\.59(, 192\.0\.2\.\d+){7}, …$/)
  expect(found.mx ?? '').not.toMatch(/\p{C}/u)
  expect(found.mx).toMatch(/, …$/)
})

test('the app of a site is stored with its version until a check that looked for apps finds none', async () => {
  const found = [{ app: 'wordpress', version: '6.6.1' }, undefined, null]
  const asked: string[][] = []
  await using scene = await openScene({
    facts: async (_sites, catalogue = []) => {
      const app = found[asked.length]
      asked.push(catalogue.map((entry) => entry.app))
      const one = { usedBytes: 1, answers: true, ssl: false, mail: false, certificate: null, settings: null, backupAt: '' }
      return new Map([['one', { ...one, ...(app !== undefined && { app }) }]])
    },
    everyMs: 1,
  })
  const stored: string[] = []
  for (const _ of found) {
    await scene.checks.refresh(scene.machineId)
    stored.push(...(await scene.apps()))
    await delay(5)
  }
  expect(stored).toEqual(['wordpress 6.6.1', 'wordpress 6.6.1', ''])
  expect(asked[0]).toEqual(['dokuwiki', 'wordpress'])
})
