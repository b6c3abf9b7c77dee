import { expect, test } from 'vitest'
import { setUpOwner } from '@/lib/portal/entry/set-up'
import { recheckActor } from '@/lib/portal/identity/actor'
import { changePassword } from '@/lib/portal/identity/change-password'
import { checkPassword } from '@/lib/portal/identity/check-password'
import { verifyPassword } from '@/lib/portal/identity/password'
import { createRecoveryLink, recoverAccount } from '@/lib/portal/identity/recovery'
import { createSetupLink, isSetupOpen } from '@/lib/portal/identity/setup-link'
import { signInWithPassword } from '@/lib/portal/identity/sign-in'
import { openPortalDatabase } from '../../support/portal-database'
import { addPerson, device, openFor, password } from './people'

const next = 'Fünf Kraniche ziehen nach Norden'
const tokenOf = (link: string | null): string => new URL(link ?? 'missing:').searchParams.get('token') ?? ''

/** Nobody's hash that takes no time to check. */
const light = `$argon2id$v=19$m=8,t=1,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** Keeps as many people waiting for a hash as may wait, until disposed. */
function keepHashingBusy(): AsyncDisposable {
  let over = false
  const ask = (): Promise<void> =>
    verifyPassword(light, 'nobody').then(
      () => (over ? undefined : ask()),
      () => {},
    )
  const flood = Array.from({ length: 100 }, ask)
  return {
    async [Symbol.asyncDispose]() {
      over = true
      await Promise.all(flood)
    },
  }
}

const busy = {
  ok: false,
  problem: { code: 'too_many', sentence: 'Too many sign-ins at the moment. Try again in a few seconds.', retryAfterSeconds: 5 },
}

test('while too many users sign in, everyone who enters a password gets that message, and nothing is changed', async () => {
  await using portal = await openPortalDatabase()
  const person = await addPerson()
  const actor = await recheckActor((await openFor(person)).sessionId)
  if (!actor) throw new Error('The new session does not stand.')
  const recovery = tokenOf(await createRecoveryLink(person.email))
  const before = await portal.db.user.findFirstOrThrow()
  {
    await using _busy = keepHashingBusy()
    expect(await signInWithPassword({ email: person.email, password }, device)).toEqual(busy)
    expect(await checkPassword(actor, { password, field: 'password', action: 'session.stepUp' }, device, null)).toEqual(busy)
    expect(await changePassword(actor, { current: password, next }, device, 'request-1')).toEqual(busy)
    expect(await recoverAccount(recovery, next, device)).toEqual(busy)
  }
  expect(await portal.db.user.findFirstOrThrow()).toEqual(before)
  expect(await recoverAccount(recovery, next, device)).toMatchObject({ ok: true })
})

test('the set-up link stays valid when too many users sign in', async () => {
  await using portal = await openPortalDatabase()
  await portal.db.team.create({ data: { id: 'team', name: 'Gatehouse' } })
  const token = tokenOf(await createSetupLink())
  {
    await using _busy = keepHashingBusy()
    const owner = { teamName: 'Reiherteich', name: 'Ada Lovelace', email: 'ada@example.org', password, apiKey: '' }
    expect(await setUpOwner(token, owner, device)).toEqual(busy)
  }
  expect([await isSetupOpen(token), await portal.db.user.count()]).toEqual([true, 0])
})
