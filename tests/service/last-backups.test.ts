/** Whose the last backups of deleted sites are, where the archives do not say it. */
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ownerTag } from '@/lib/service/owner'
import { openStore } from '@/lib/service/store/db'
import { openRing } from '@/lib/service/store/ring'
import { findSitesOfOthers } from '@/lib/service/store/site-runs'
import { register } from './conformance/servers'
import { get, readInstall } from './support/caller'
import { openTestService } from './support/service'
import { createSite, deleteSite } from './support/slow-work'

test('the tag of an account is the same each time, differs from others, and has nothing of the id', () => {
  const [one, other] = ['5f4c1a7e-0000-4000-8000-00000000000a', '5f4c1a7e-0000-4000-8000-00000000000b'].map(ownerTag)
  expect(one).toMatch(/^[0-9a-f]{32}$/)
  expect(one).toBe(ownerTag('5f4c1a7e-0000-4000-8000-00000000000a'))
  expect(one).not.toBe(other)
  expect(one).not.toContain('5f4c1a7e')
})

test('a site that another account deleted is known by its work; one that nobody is known to have deleted is nobody’s', async () => {
  await using service = await openTestService({ sandboxPaceMs: 5 })
  const login = { provider: 'sandbox', host: 'owners.test', port: '22', user: 'root', pass: 'let me in, please' }
  const { id } = await register(service, login, 'owners')
  await readInstall(service, id)
  const site = String((await createSite(service, { domain: 'gone.example.org', server: id, password: 'a harbour' })).body.id)
  expect(await deleteSite(service, site)).toMatchObject({ status: 200 })
  const db = openStore(join(service.dir, 'data', 'service.db'))
  onTestFinished(() => db.$disconnect())
  const store = { db, ring: await openRing(db, join(service.dir, 'keys', 'kek.key')) }
  const [account] = await db.account.findMany()
  if (!account) throw new Error('There is no account.')
  expect(await findSitesOfOthers(store, account.id, [site, 'unknown'])).toEqual(new Set())
  expect(await findSitesOfOthers(store, 'another', [site, 'unknown'])).toEqual(new Set([site]))
  expect((await get(service, `/servers/${id}/lastbackups`)).body.items).toMatchObject([{ domain: 'gone.example.org' }])
})
