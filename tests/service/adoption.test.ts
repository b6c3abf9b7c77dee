/** Whose the sites are that a server has already when an account adds it. */
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { sortSites, takeOverCommand } from '@/lib/service/adoption'
import { parseSiteRecords, type SiteRecord } from '@/lib/service/machines/site-records'
import { ownerTag } from '@/lib/service/owner'
import { ensureAccount } from '@/lib/service/store/accounts'
import { keepMachine } from '@/lib/service/store/adoption'
import { openStore } from '@/lib/service/store/db'
import { createMachine, findMachine, findRemovedMachine, removeMachine } from '@/lib/service/store/machines'
import { openRing } from '@/lib/service/store/ring'
import { findSite, listSites } from '@/lib/service/store/sites'
import type { Store } from '@/lib/service/store/store'
import { openTestService } from './support/service'

const hostKey = `SHA256:${'h'.repeat(43)}`
const otherKey = `SHA256:${'o'.repeat(43)}`

let store: Store
let [mine, theirs] = ['', '']

const machineOf = (id: string, accountId: string, key = hostKey) => ({
  id,
  accountId,
  provider: 'ssh' as const,
  name: id,
  dns: '',
  hostname: '',
  host: '192.0.2.1',
  port: 22,
  user: 'root',
  region: '',
  type: '',
  ip: '',
  hostKey: key,
  publicKey: '',
  privateKey: 'a key',
})
const recordOf = (id: string, more: Partial<SiteRecord> = {}): SiteRecord => ({
  id,
  name: `name${id}`,
  domain: `${id}.example`,
  aliases: [],
  owner: '',
  copyOf: '',
  isBeingDeleted: false,
  ...more,
})
const addSite = (machineId: string, id: string) =>
  store.db.site.create({ data: { id, machineId, name: `name${id}`, domain: `${id}.example`, state: 'ready' } })
const sort = async (sites: readonly SiteRecord[], { shared = false, of = mine } = {}) => {
  const former = await findRemovedMachine(store, of, hostKey)
  const { adopted, held } = await sortSites(store, { sites, shared }, { accountId: of, hostKey, former })
  return [adopted.map(({ id }) => id), held.map(({ id }) => id)]
}

beforeEach(async () => {
  const service = await openTestService()
  const db = openStore(join(service.dir, 'data', 'service.db'))
  onTestFinished(async () => {
    await db.$disconnect()
    await service[Symbol.asyncDispose]()
  })
  store = { db, ring: await openRing(db, join(service.dir, 'keys', 'kek.key')) }
  ;[mine, theirs] = [(await ensureAccount(db, 'mine')).id, (await ensureAccount(db, 'theirs')).id]
})

test('records are read as root may have written them, and lines that cannot be read are skipped', () => {
  const lines = [
    'uid\t0',
    'shared\tyes',
    'site\tid-1\tone1a2b3\tone.example\tabc\t\t\twww.one.example shop.one.example $(id)',
    'site\tid-2\tstaging4c5d\tstaging.one.example\t\tone1a2b3\tyes\t',
    'site\t../x\tone1a2b3\tone.example\tabc\t\t\t',
    'site\tid-3\tOne; id\tone.example\tabc\t\t\t',
    'site\tid-4\tfour\tnot a domain\tabc\t\t\t',
    'site',
  ]
  expect(parseSiteRecords(lines.join('\n'))).toEqual({
    shared: true,
    sites: [
      recordOf('id-1', { name: 'one1a2b3', domain: 'one.example', owner: 'abc', aliases: ['www.one.example', 'shop.one.example'] }),
      recordOf('id-2', { name: 'staging4c5d', domain: 'staging.one.example', copyOf: 'one1a2b3', isBeingDeleted: true }),
    ],
  })
})

test('a tag says whose a site is; without one, the account that knows its id has it, or else whoever is alone on the server', async () => {
  await createMachine(store, machineOf('former', mine))
  await addSite('former', 'known')
  await removeMachine(store, 'former')
  await createMachine(store, machineOf('elsewhere', theirs, otherKey))
  await addSite('elsewhere', 'foreign')
  const sites = [
    recordOf('tagged', { owner: ownerTag(mine) }),
    recordOf('of-others', { owner: ownerTag(theirs) }),
    recordOf('known'),
    recordOf('unknown'),
    // Its id belongs to a site on another server: neither a missing tag nor one of ours moves that.
    recordOf('foreign'),
    recordOf('copy', { copyOf: 'nametagged' }),
    recordOf('copy-of-others', { copyOf: 'nameof-others', owner: ownerTag(mine) }),
  ]
  expect(await sort(sites)).toEqual([
    ['tagged', 'known', 'unknown', 'copy'],
    ['of-others', 'foreign', 'copy-of-others'],
  ])
  expect((await sort(sites, { shared: true }))[0]).toEqual(['tagged', 'known', 'copy'])
  expect(await sort([recordOf('foreign', { owner: ownerTag(mine) })])).toEqual([[], ['foreign']])
})

test('what root of the same server gives away is taken from the account that had it', async () => {
  await createMachine(store, machineOf('theirs', theirs))
  await addSite('theirs', 'site')
  expect(await sort([recordOf('site')])).toEqual([[], ['site']])
  const given = recordOf('site', { owner: ownerTag(mine), aliases: ['www.site.example'] })
  expect(await sort([given])).toEqual([['site'], []])
  await keepMachine(store, machineOf('mine', mine), { former: null, adopted: [given] })
  expect(await listSites(store, theirs)).toEqual([])
  expect(await findSite(store, mine, 'site')).toMatchObject({
    machineId: 'mine',
    state: 'ready',
    aliases: [{ domain: 'www.site.example' }],
  })
  expect(takeOverCommand(mine, [given])).toContain(`owner ${ownerTag(mine)}`)
})

test('a deleted server with sites is in no list and has no key; it returns with those of its sites that are still there', async () => {
  await createMachine(store, machineOf('former', mine))
  for (const id of ['stays', 'gone']) await addSite('former', id)
  await store.db.machine.update({ where: { id: 'former' }, data: { state: 'ready' } })
  await removeMachine(store, 'former')
  expect(await findMachine(store, mine, 'former')).toBe(null)
  expect(await listSites(store, mine)).toEqual([])
  const former = await findRemovedMachine(store, mine, hostKey)
  expect(former).toMatchObject({ id: 'former', sealedKey: null })
  expect(await findRemovedMachine(store, theirs, hostKey)).toBe(null)

  const copy = recordOf('copy', { copyOf: 'namestays' })
  const adopted = [recordOf('stays', { isBeingDeleted: true }), copy]
  const row = await keepMachine(store, machineOf('former', mine), { former, adopted })
  expect(row).toMatchObject({ id: 'former', state: 'ready', removedAt: null })
  expect(row.sealedKey).not.toBe(null)
  expect(await listSites(store, mine)).toMatchObject([{ id: 'stays', state: 'failed' }])
  expect(await store.db.site.findUnique({ where: { id: 'copy' } })).toMatchObject({ stagingOf: 'stays', machineId: 'former' })
})
