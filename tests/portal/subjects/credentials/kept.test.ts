/** Credentials of a finished job: for whoever started it, for a while, and then gone. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { credentialsFor, forgetCredentials, keepCredentials, showCredentials } from '@/lib/portal/subjects/credentials/kept'

const of = (siteId: string | null) => ({ operation: 'apps.install', siteId })

const secret = { url: 'https://first.example/wp-admin/', user: 'admin', password: 'a quiet harbour' }

test('only whoever started the job sees them, again after a reload, until they are dropped', () => {
  keepCredentials(of('job'), 'robin', secret)
  expect(credentialsFor(of('job'))).toBe('robin')
  expect(showCredentials(of('job'), 'nils')).toBeNull()
  expect([showCredentials(of('job'), 'robin'), showCredentials(of('job'), 'robin')]).toEqual([secret, secret])
  forgetCredentials(of('job'))
  expect([credentialsFor(of('job')), showCredentials(of('job'), 'robin')]).toEqual([null, null])
})

test('they are dropped some time after the first look, and some time after the end of the job without any', async () => {
  keepCredentials(of('seen'), 'robin', secret, { unseenMs: 60_000, shownMs: 20 })
  keepCredentials(of('unseen'), 'robin', secret, { unseenMs: 20, shownMs: 60_000 })
  expect(showCredentials(of('seen'), 'robin')).toEqual(secret)
  await pause(60)
  expect([credentialsFor(of('seen')), credentialsFor(of('unseen'))]).toEqual([null, null])
})

test('what is too long for a password, or has further members, is not kept', () => {
  keepCredentials(of('long'), 'robin', { ...secret, password: 'x'.repeat(1_001) })
  expect(credentialsFor(of('long'))).toBeNull()
  const more = { ...secret, note: 'another secret' }
  keepCredentials(of('more'), 'robin', more)
  expect(showCredentials(of('more'), 'robin')).toEqual(secret)
})

test('each site and kind of job has its own, newer ones replace older ones, and a site that is gone has none', () => {
  keepCredentials(of('site'), 'robin', secret)
  expect(credentialsFor({ operation: 'apps.pull', siteId: 'site' })).toBeNull()
  keepCredentials(of('site'), 'nils', { ...secret, password: 'a newer harbour' })
  expect(showCredentials(of('site'), 'robin')).toBeNull()
  expect(showCredentials(of('site'), 'nils')?.password).toBe('a newer harbour')
  keepCredentials(of(null), 'robin', secret)
  expect(credentialsFor(of(null))).toBeNull()
})
