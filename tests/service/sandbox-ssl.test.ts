/** SSL of sandbox sites: which names a certificate covers, and how it gets older. */
import { expect, test } from 'vitest'
import { parseSummary } from '@/lib/service/machines/debian/facts/summary'
import { createModel } from '@/lib/service/machines/sandbox/fresh'
import { parseModel, renderModel } from '@/lib/service/machines/sandbox/model'
import { sandboxDns } from '@/lib/service/machines/sandbox/names'
import { renderFacts } from '@/lib/service/machines/sandbox/render'
import { advanceSites } from '@/lib/service/machines/sandbox/site-jobs'
import { createSandboxSites } from '@/lib/service/machines/sandbox/sites'
import type { SiteFacts, SiteJobLine, SiteOnHost, SiteWork } from '@/lib/service/machines/sites'

const dayMs = 86_400_000
const begin = Date.parse('2026-11-24T00:00:00Z')
const authority = { directory: 'https://authority.test/dir', roots: '', contact: '' }

const siteNamed = (domain: string, ...aliases: string[]): SiteOnHost => ({
  id: `id of ${domain}`,
  name: domain.slice(0, 5),
  domain,
  aliases,
})
const on = (site: SiteOnHost): SiteWork => ({ kind: 'ssl', site, on: true, authority, refused: [] })
const off = (site: SiteOnHost): SiteWork => ({ kind: 'ssl', site, on: false, authority, refused: [] })
const naming = (site: SiteOnHost, later = false): SiteWork => ({ kind: 'names', site, later, authority, refused: [] })

/** An installed server whose jobs take no time, and whose clock the test moves. */
function openServer() {
  let machine = createModel({ name: 'alpha', host: 'alpha.test', user: 'root', nowMs: begin })
  machine.packages.apache2 = '2.4.62-1~deb12u2'
  let nowMs = begin
  const sites = createSandboxSites({
    visit: async (work) => {
      machine = parseModel(renderModel(machine))
      advanceSites(machine, nowMs)
      return work(machine)
    },
    paceMs: 0,
    now: () => nowMs,
  })
  let jobs = 0
  const run = async (work: SiteWork): Promise<SiteJobLine[]> => {
    const jobId = `job ${++jobs}`
    await sites.start(jobId, work)
    const lines: SiteJobLine[] = []
    for await (const line of sites.follow(jobId, 0, new AbortController().signal)) lines.push(line)
    return lines
  }
  return {
    run,
    end: async (work: SiteWork) => (await run(work)).at(-1),
    create: async (site: SiteOnHost) => {
      await run({ kind: 'create', site, password: 'open', databasePassword: 'open', owner: '', wwwRedirect: false, restored: null })
      return site
    },
    facts: async (site: SiteOnHost): Promise<SiteFacts | null | undefined> => (await sites.facts([site])).get(site.name),
    checkNames: sites.checkNames,
    failing: () => parseSummary(renderFacts(machine, nowMs), '').failing_certificates,
    moveClock: (days: number) => {
      nowMs += days * dayMs
    },
  }
}

test('a site has no certificate until SSL is switched on, and keeps it afterwards', async () => {
  const server = openServer()
  const site = await server.create(siteNamed('one.test', 'www.one.test'))
  expect(await server.facts(site)).toMatchObject({ ssl: false, certificate: null })
  const lines = await server.run(on(site))
  expect([...new Set(lines.map(({ step }) => step))]).toEqual(['Check the server', 'Check the names', 'Certificate', 'Web server'])
  expect(lines.at(-1)).toMatchObject({ status: 'done', progress: 100, message: 'SSL of one.test is on.' })
  const certificate = {
    names: ['one.test', 'www.one.test'],
    issued: '2026-11-24T00:00:00.000Z',
    expires: '2027-02-22T00:00:00.000Z',
    leftOut: [],
    problem: '',
  }
  expect(await server.facts(site)).toMatchObject({ ssl: true, certificate })
  server.moveClock(1)
  expect(await server.end(off(site))).toMatchObject({ status: 'done', message: 'SSL of one.test is off. Its certificate is kept.' })
  expect(await server.facts(site)).toMatchObject({ ssl: false, certificate })
  await server.run(on(site))
  expect(await server.facts(site)).toMatchObject({ ssl: true, certificate })
})

test('a certificate follows the names of its site, or not yet if more are about to change', async () => {
  const server = openServer()
  const site = await server.create(siteNamed('one.test'))
  await server.run(naming({ ...site, aliases: ['a.test'] }))
  expect(await server.facts(site)).toMatchObject({ ssl: false, certificate: null })
  await server.run(on({ ...site, aliases: ['a.test'] }))
  server.moveClock(1)
  expect((await server.run(naming({ ...site, aliases: ['a.test', 'b.test'] }, true))).map(({ step }) => step)).not.toContain('Certificate')
  const leftOut = [{ name: 'b.test', reason: 'b.test was added after the certificate was issued.' }]
  expect(await server.facts(site)).toMatchObject({ certificate: { names: ['one.test', 'a.test'], leftOut } })
  expect((await server.run(naming({ ...site, aliases: ['b.test', 'c.test'] }))).map(({ step }) => step)).toContain('Certificate')
  const certificate = { names: ['one.test', 'b.test', 'c.test'], issued: '2026-11-25T00:00:00.000Z', leftOut: [] }
  expect(await server.facts(site)).toMatchObject({ ssl: true, certificate })
})

test('names that cannot be reached are left out and named; a domain that cannot be reached gets no certificate', async () => {
  const server = openServer()
  const site = await server.create(siteNamed('one.test', 'unreachable.one.test', 'noaddress.one.test', 'elsewhere.one.test'))
  const checks = await server.checkNames(site)
  expect(checks.map(({ name, result }) => [name, result])).toEqual([
    ['one.test', 'ready'],
    ['unreachable.one.test', 'blocked'],
    ['noaddress.one.test', 'blocked'],
    ['elsewhere.one.test', 'warning'],
  ])
  const reasonOf = (name: string) => checks.find((check) => check.name === name)?.reason
  expect(reasonOf('noaddress.one.test')).toContain('noaddress.one.test has no address in DNS')
  expect(sandboxDns('noaddress.one.test', '192.0.2.1').address).toBe('')
  for (const name of ['unreachable.one.test', 'elsewhere.one.test']) {
    expect(reasonOf(name)).toContain(sandboxDns(name, '192.0.2.1').address)
  }
  expect(await server.end(on(site))).toMatchObject({
    message: 'SSL of one.test is on. The certificate leaves out unreachable.one.test, noaddress.one.test.',
  })
  const leftOut = ['unreachable.one.test', 'noaddress.one.test'].map((name) => ({ name, reason: reasonOf(name) }))
  expect(await server.facts(site)).toMatchObject({ certificate: { names: ['one.test', 'elsewhere.one.test'], leftOut } })

  const nowhere = await server.create(siteNamed('noaddress.two.test'))
  const error = expect.stringContaining('no address in DNS')
  expect(await server.end(on(nowhere))).toMatchObject({ step: 'Check the names', status: 'failed', problem: 'unsuitable', error })
  expect(await server.facts(nowhere)).toMatchObject({ ssl: false, certificate: null })
  await expect(server.checkNames(siteNamed('never.test'))).rejects.toMatchObject({ problem: { code: 'changed_meanwhile' } })
})

test('a certificate is renewed in time, except that of a domain beginning with “expiring.”, which the server reports', async () => {
  const server = openServer()
  const [renewed, expiring] = [await server.create(siteNamed('one.test')), await server.create(siteNamed('expiring.test'))]
  for (const site of [renewed, expiring]) await server.run(on(site))
  const daysLeft = async (site: SiteOnHost, atMs: number) =>
    (Date.parse((await server.facts(site))?.certificate?.expires ?? '') - atMs) / dayMs
  expect([await daysLeft(renewed, begin), await daysLeft(expiring, begin)]).toEqual([90, 10])
  expect((await server.facts(expiring))?.certificate?.problem).toContain('expiring.test')
  expect(server.failing()).toEqual(['expiring.test'])
  server.moveClock(53)
  expect(await daysLeft(renewed, begin + 53 * dayMs)).toBe(37)
  server.moveClock(2)
  expect(await server.facts(renewed)).toMatchObject({ certificate: { problem: '' } })
  expect(await daysLeft(renewed, begin + 55 * dayMs)).toBe(89)
  expect(await daysLeft(expiring, begin + 55 * dayMs)).toBe(-45)
  await server.run(off(expiring))
  await server.facts(expiring)
  expect(server.failing()).toEqual([])
})

test('a server stored before sites had SSL and settings has sites without SSL and with the settings of a new one', () => {
  const machine = createModel({ name: 'alpha', host: 'alpha.test', user: 'root', nowMs: begin })
  const stored = { ...machine, sites: [siteNamed('one.test')] }
  const numbers = { uploadMb: 64, memoryMb: 256, workers: 10, waiting: 30, hstsSeconds: 0, mailPerHour: 200 }
  const settings = { php: '', folder: '', ...numbers, wwwRedirect: false }
  const mail = { on: false, wasOn: false, addresses: [] }
  expect(parseModel(JSON.stringify(stored)).sites).toEqual([
    {
      ...siteNamed('one.test'),
      ssl: false,
      certificate: null,
      settings,
      app: null,
      mail,
      staging: null,
      upToDate: true,
      keys: [],
      owner: '',
    },
  ])
})
