/** Sites are checked in the background: rarely, once for everybody who asks, and never so that a list waits. */
import { createSocket } from 'node:dgram'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { problem } from '@/lib/contract/problem'
import { createDnsLookup, type LookUpDns } from '@/lib/service/dns'
import type { Fleet } from '@/lib/service/machines/fleet'
import { type Machine, MachineFailure } from '@/lib/service/machines/machine'
import type { SiteFacts, SiteOnHost } from '@/lib/service/machines/sites'
import { createSiteChecks } from '@/lib/service/site-checks'
import { openStore } from '@/lib/service/store/db'
import type { MachineRow } from '@/lib/service/store/machines'
import { openRing } from '@/lib/service/store/ring'
import { keepMachine, openTestService } from './support/service'

const here: LookUpDns = async () => ({ address: '192.0.2.7', mx: 'mail.example.org' })

type SceneOptions = { facts: (sites: readonly SiteOnHost[]) => Promise<Map<string, SiteFacts>>; lookUpDns?: LookUpDns; everyMs?: number }

async function openScene({ facts, lookUpDns = here, everyMs = 60_000 }: SceneOptions) {
  const service = await openTestService()
  const machineId = await keepMachine(service, { host: '127.0.0.1', port: 9 })
  const db = openStore(join(service.dir, 'data', 'service.db'))
  const store = { db, ring: await openRing(db, join(service.dir, 'keys', 'kek.key')) }
  const fleet = { machine: () => ({ sites: { facts } }) as unknown as Machine } as unknown as Fleet<MachineRow>
  const checks = createSiteChecks({ store, fleet, log: { warn: () => {} }, lookUpDns, everyMs })
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
      return new Map([['one', { usedBytes: 5_000_000_000, answers: false, ssl: false, certificate: null }]])
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
  scene.checks.forget(scene.machineId)
  await scene.checks.refresh(scene.machineId)
  expect(asked).toEqual([['one'], ['two']])
})

test('a server that does not answer, and a resolver that does not, leave what is known', async () => {
  await using scene = await openScene({
    facts: () => Promise.reject(new MachineFailure(problem('unreachable'))),
    lookUpDns: async () => ({}),
  })
  await scene.checks.refresh(scene.machineId)
  expect(await scene.findings()).toEqual([{ name: 'one', usage: '1', answers: true, address: '', mx: '' }])
})

/** A DNS answer with these records, each a type and its data. */
function answerTo(query: Buffer, records: readonly [type: number, data: Buffer][]): Buffer {
  const question = query.subarray(12, query.indexOf(0, 12) + 5)
  const header = Buffer.from([...query.subarray(0, 2), 0x81, records.length > 0 ? 0x80 : 0x83, 0, 1, 0, records.length, 0, 0, 0, 0])
  const answers = records.map(([type, data]) => {
    const fixed = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length])
    return Buffer.concat([fixed, data])
  })
  return Buffer.concat([header, question, ...answers])
}

const nameOf = (name: string) => Buffer.from([...name.split('.').flatMap((label) => [label.length, ...Buffer.from(label)]), 0])
const mailServer = (preference: number, name: string) => Buffer.concat([Buffer.from([0, preference]), nameOf(name)])

test('DNS is asked of the configured resolver; an unknown name is an answer, and a sandbox site is not looked up', async () => {
  const socket = createSocket('udp4')
  let asked = 0
  socket.on('message', (query, from) => {
    asked += 1
    const type = query[query.indexOf(0, 12) + 2]
    const addresses: [number, Buffer][] = [
      [1, Buffer.from([192, 0, 2, 7])],
      [1, Buffer.from([192, 0, 2, 8])],
    ]
    const mail: [number, Buffer][] = [
      [15, mailServer(20, 'second.test')],
      [15, mailServer(10, 'first.test')],
    ]
    const isKnown = query.includes('known')
    socket.send(answerTo(query, isKnown ? (type === 15 ? mail : addresses) : []), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  const lookUp = createDnsLookup([`127.0.0.1:${socket.address().port}`])
  const server = { provider: 'ssh', ip: '192.0.2.1' }
  const known = await lookUp(server, 'known.test')
  expect({ ...known, address: known.address?.split(', ').sort() }).toEqual({
    address: ['192.0.2.7', '192.0.2.8'],
    mx: 'first.test, second.test',
  })
  expect(await lookUp(server, 'nowhere.test')).toEqual({ address: '', mx: '' })
  const before = asked
  expect(await lookUp({ ...server, provider: 'sandbox' }, 'known.test')).toEqual({ address: '192.0.2.1', mx: 'mail.known.test' })
  expect(asked).toBe(before)
  await new Promise<void>((resolve) => socket.close(() => resolve()))
})
