import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { removePasskey } from '@/lib/portal/identity/passkeys/own'
import { removeTotp } from '@/lib/portal/identity/second-factor/totp'
import { readFactors } from '@/lib/portal/identity/second-factor/view'
import { createRowId } from '@/lib/portal/identity/token'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { addActorWithApp } from '../second-factor/authenticator'
import { addActorWithPasskey, addTo, forgetPassword } from './people'

const kept = (why: string) => ({ ok: false, problem: { code: 'forbidden', sentence: expect.stringContaining(why) } })

test('recovery codes go with the last second factor only', async () => {
  await using _ = await openPortalDatabase()
  const { actor, codes } = await addActorWithApp()
  const { passkey } = await addTo(actor)
  expect(await removeTotp(actor, createRowId())).toMatchObject({ ok: true })
  expect(await db().recoveryCode.count()).toBe(codes.length)
  expect(await removePasskey(actor, passkey.id, createRowId())).toMatchObject({ ok: true })
  expect(await db().recoveryCode.count()).toBe(0)
  expect(await removePasskey(actor, passkey.id, createRowId())).toMatchObject({ problem: { code: 'not_found' } })
})

test('security 21: an account without a password keeps one of two passkeys that are removed at once', async () => {
  await using _ = await openPortalDatabase()
  const { actor, passkey } = await addActorWithPasskey()
  const second = await addTo(actor)
  await forgetPassword(actor.user.id)
  const ids = [passkey.id, second.passkey.id]
  const both = await Promise.all(ids.map((id) => removePasskey(actor, id, createRowId())))
  expect(both.find(({ ok }) => !ok)).toMatchObject(kept('only way to sign in'))
  expect(await db().passkey.count()).toBe(1)
  const { userId } = await db().passkey.findFirstOrThrow()
  expect(await readFactors(userId)).toMatchObject({ stays: { passkey: expect.stringContaining('only way'), app: null } })
  await db().externalIdentity.create({ data: { issuer: 'https://id.example.org', subject: 'ada', userId } })
  expect(await readFactors(userId)).toMatchObject({ stays: { passkey: null } })
  const last = (await db().passkey.findFirstOrThrow()).id
  expect(await removePasskey(actor, last, createRowId())).toMatchObject({ ok: true })
})

test('security 21: where the team requires a second factor, one of two that are removed at once stays', async () => {
  await using _ = await openPortalDatabase()
  const { actor } = await addActorWithApp()
  const { passkey } = await addTo(actor)
  await db().team.updateMany({ data: { requiresSecondFactor: true } })
  const both = await Promise.all([removeTotp(actor, createRowId()), removePasskey(actor, passkey.id, createRowId())])
  expect(both.find(({ ok }) => !ok)).toMatchObject(kept('You need a second factor'))
  expect((await db().passkey.count()) + (await db().totp.count())).toBe(1)
  expect(await db().recoveryCode.count()).toBe(10)
})

test('passkeys go with their account', async () => {
  await using _ = await openPortalDatabase()
  const { actor } = await addActorWithPasskey()
  await db().user.delete({ where: { id: actor.user.id } })
  expect(await db().passkey.count()).toBe(0)
})
