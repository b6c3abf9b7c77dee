/** Credentials of a finished job: for whoever started it, for a while, and then gone. */
import { setTimeout as pause } from 'node:timers/promises'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { verifyRing } from '@/lib/portal/custody/rotation'
import {
  forgetCredentials,
  keepCredentials,
  pruneCredentials,
  readCredentialOwners,
  showCredentials,
} from '@/lib/portal/subjects/credentials/kept'
import { dumpPortal, openPortalDatabase, type PortalDatabase } from '@/tests/support/portal-database'
import { forgetProcess } from '@/tests/support/reset-process'

let portal: PortalDatabase

beforeEach(async () => {
  portal = await openPortalDatabase()
  for (const id of ['robin', 'nils']) await db().user.create({ data: { id, email: `${id}@example.org`, name: id } })
  onTestFinished(() => portal[Symbol.asyncDispose]())
})

const of = (siteId: string | null, operation = 'apps.install') => ({ operation, siteId })

const ownerOf = async (work: ReturnType<typeof of>) => (await readCredentialOwners([work]))(work)

const secret = { url: 'https://first.example/wp-admin/', user: 'admin', password: 'a quiet harbour' }

test('only whoever started the job sees them, again after a reload, until they are dropped', async () => {
  await keepCredentials(of('job'), 'robin', secret)
  expect(await ownerOf(of('job'))).toBe('robin')
  expect(await showCredentials(of('job'), 'nils')).toBeNull()
  // By another portal of the same database, or after a restart.
  for (const _ of ['first', 'again']) {
    expect(await showCredentials(of('job'), 'robin')).toEqual(secret)
    forgetProcess()
  }
  await forgetCredentials(of('job'))
  expect([await ownerOf(of('job')), await showCredentials(of('job'), 'robin')]).toEqual([null, null])
  expect(await db().jobCredentials.count()).toBe(0)
})

test('their rows go some time after the first look, and some time after the end of the job without any', async () => {
  await keepCredentials(of('seen'), 'robin', secret)
  await keepCredentials(of('unseen'), 'robin', secret, { unseenMs: 20, shownMs: 60_000 })
  expect(await showCredentials(of('seen'), 'robin', { unseenMs: 60_000, shownMs: 200 })).toEqual(secret)
  expect(await showCredentials(of('seen'), 'robin')).toEqual(secret)
  await pause(50)
  expect([await ownerOf(of('unseen')), await showCredentials(of('unseen'), 'robin')]).toEqual([null, null])
  await expect.poll(() => db().jobCredentials.count()).toBe(0)
  await keepCredentials(of('later'), 'robin', secret)
  expect([await pruneCredentials(), await pruneCredentials(new Date(Date.now() + 25 * 3_600_000))]).toEqual([0, 1])
})

test('what is too long for a password, or has further members, is not kept', async () => {
  await keepCredentials(of('long'), 'robin', { ...secret, password: 'x'.repeat(1_001) })
  expect(await ownerOf(of('long'))).toBeNull()
  const more = { ...secret, note: 'another secret' }
  await keepCredentials(of('more'), 'robin', more)
  expect(await showCredentials(of('more'), 'robin')).toEqual(secret)
})

test('each site and kind of job has its own, newer ones replace older ones, and a site that is gone has none', async () => {
  await keepCredentials(of('site'), 'robin', secret)
  expect(await showCredentials(of('site'), 'robin')).toEqual(secret)
  expect(await ownerOf(of('site', 'apps.pull'))).toBeNull()
  await keepCredentials(of('site'), 'nils', { ...secret, password: 'a newer harbour' })
  expect(await showCredentials(of('site'), 'robin')).toBeNull()
  expect((await showCredentials(of('site'), 'nils'))?.password).toBe('a newer harbour')
  await keepCredentials(of(null), 'robin', secret)
  expect(await ownerOf(of(null))).toBeNull()
  const works = [of('site'), of(null), of('other')]
  expect(works.map(await readCredentialOwners(works))).toEqual(['nils', null, null])
})

test('security 4: a thief of the database reads nothing of them, and who can write to it shows them to nobody else', async () => {
  await keepCredentials(of('site'), 'robin', secret)
  const stolen = dumpPortal(portal)
  for (const text of [secret.url, secret.password]) expect([text, stolen.includes(text)]).toEqual([text, false])
  expect(await verifyRing()).toMatchObject({ broken: [] })
  await db().jobCredentials.updateMany({ data: { userId: 'nils' } })
  expect(await showCredentials(of('site'), 'nils')).toBeNull()
  await db().jobCredentials.updateMany({ data: { userId: 'robin', id: 'apps.install other' } })
  expect(await showCredentials(of('other'), 'robin')).toBeNull()
  expect((await db().jobCredentials.findFirstOrThrow()).shownAt).toBeNull()
})

test('they go with the account of whom they are for', async () => {
  await keepCredentials(of('site'), 'robin', secret)
  await db().user.delete({ where: { id: 'robin' } })
  expect(await db().jobCredentials.count()).toBe(0)
})
