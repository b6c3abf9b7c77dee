/** Credentials of a finished job: for whoever started it, for a while, and then gone. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { credentialsFor, forgetCredentials, keepCredentials, showCredentials } from '@/lib/portal/subjects/credentials/kept'

const secret = { url: 'https://first.example/wp-admin/', user: 'admin', password: 'a quiet harbour' }

test('only whoever started the job sees them, again after a reload, until they are dropped', () => {
  keepCredentials('job', 'robin', secret)
  expect(credentialsFor('job')).toBe('robin')
  expect(showCredentials('job', 'nils')).toBeNull()
  expect([showCredentials('job', 'robin'), showCredentials('job', 'robin')]).toEqual([secret, secret])
  forgetCredentials('job')
  expect([credentialsFor('job'), showCredentials('job', 'robin')]).toEqual([null, null])
})

test('they are dropped some time after the first look, and some time after the end of the job without any', async () => {
  keepCredentials('seen', 'robin', secret, { unseenMs: 60_000, shownMs: 20 })
  keepCredentials('unseen', 'robin', secret, { unseenMs: 20, shownMs: 60_000 })
  expect(showCredentials('seen', 'robin')).toEqual(secret)
  await pause(60)
  expect([credentialsFor('seen'), credentialsFor('unseen')]).toEqual([null, null])
})

test('what is too long for a password, or has further members, is not kept', () => {
  keepCredentials('long', 'robin', { ...secret, password: 'x'.repeat(1_001) })
  expect(credentialsFor('long')).toBeNull()
  const more = { ...secret, note: 'another secret' }
  keepCredentials('more', 'robin', more)
  expect(showCredentials('more', 'robin')).toEqual(secret)
})
