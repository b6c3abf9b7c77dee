import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { addPasskey, maxPasskeys, startPasskey } from '@/lib/portal/identity/passkeys/add'
import { listPasskeys, renamePasskey } from '@/lib/portal/identity/passkeys/own'
import { relyingParty, whyNoPasskeys } from '@/lib/portal/identity/passkeys/relying-party'
import { createRowId } from '@/lib/portal/identity/token'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { addPerson, device } from '../people'
import { softPasskey } from './authenticator'
import { actorFor, addActorWithPasskey, addTo, startFor } from './people'

const refused = { ok: false, problem: { code: 'invalid' } }

test('passkeys are absent at plain http other than localhost and at an IP address, with the reason, and refused there', async () => {
  const why = (address: string) => whyNoPasskeys({ publicUrl: new URL(address) })
  for (const address of ['https://panel.example.org', 'http://localhost:3000', 'https://localhost'])
    expect([address, why(address)]).toEqual([address, null])
  expect(why('http://panel.example.org')).toContain('https')
  for (const address of ['http://127.0.0.1:3000', 'http://localhost.example.org', 'https://192.0.2.1', 'https://[2001:db8::1]'])
    expect([address, why(address)]).toEqual([address, expect.stringContaining('Passkeys need')])
  await using _ = await openPortalDatabase({ environment: { PUBLIC_URL: 'http://panel.example.org', ALLOW_PLAIN_HTTP: '1' } })
  expect(await startPasskey(await actorFor(await addPerson()), device.peer)).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  expect(await db().passkeyChallenge.count()).toBe(0)
})

test('the site is the public address; user verification and a discoverable passkey are required; only the hash of the challenge is stored', async () => {
  await using _ = await openPortalDatabase()
  const options = await startFor(await actorFor(await addPerson()))
  expect(relyingParty().id).toBe('localhost')
  expect(options).toMatchObject({
    rp: { id: 'localhost' },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  expect(Buffer.from(options.challenge, 'base64url')).toHaveLength(32)
  expect(JSON.stringify(await db().passkeyChallenge.findMany())).not.toContain(options.challenge)
})

test('the first second factor brings recovery codes, a further one does not; both are logged with intent and outcome', async () => {
  await using _ = await openPortalDatabase()
  const { actor, codes } = await addActorWithPasskey()
  expect(codes).toHaveLength(10)
  expect((await addTo(actor)).codes).toEqual([])
  expect(await listPasskeys(actor.user.id)).toMatchObject([{ label: 'An unknown browser', usedAt: null }, {}])
  expect(await db().auditRow.count({ where: { action: 'person.addPasskey', outcome: 'done' } })).toBe(2)
})

test('security 17: another site, another origin, a missing user verification and a challenge of another session are refused', async () => {
  await using _ = await openPortalDatabase()
  const actor = await actorFor(await addPerson())
  const other = await actorFor(await addPerson({ email: 'eve@example.org' }))
  const passkey = softPasskey(actor.user.id)
  const add = async (as: typeof actor, text: string) => addPasskey(as, text, device, createRowId())
  for (const falsified of [
    { rpId: 'evil.test' },
    { origin: 'https://evil.test' },
    { origin: 'http://localhost:3001' },
    { verified: false },
  ])
    expect([falsified, await add(actor, passkey.create(await startFor(actor), falsified))]).toMatchObject([falsified, refused])
  expect(await add(actor, passkey.create(await startFor(other)))).toMatchObject(refused)
  expect(await add(actor, passkey.create({ challenge: 'A'.repeat(43) }))).toMatchObject(refused)
  for (const text of ['', '{}', 'null', '[]', passkey.use(await startFor(actor))]) expect(await add(actor, text)).toMatchObject(refused)
  expect(await db().passkey.count()).toBe(0)
})

test('security 14: of 20 uses of one challenge at once one succeeds; after 5 minutes none does', async () => {
  await using _ = await openPortalDatabase()
  const actor = await actorFor(await addPerson())
  const options = await startFor(actor)
  const tries = Array.from({ length: 20 }, () => addPasskey(actor, softPasskey(actor.user.id).create(options), device, createRowId()))
  expect((await Promise.all(tries)).filter(({ ok }) => ok)).toHaveLength(1)
  const late = await startFor(actor)
  await db().passkeyChallenge.updateMany({ data: { expiresAt: new Date(Date.now() - 1) } })
  expect(await addPasskey(actor, softPasskey(actor.user.id).create(late), device, createRowId())).toMatchObject(refused)
})

test('a passkey belongs to one account: the same one is refused for another user, and not told apart from a broken one', async () => {
  await using _ = await openPortalDatabase()
  const { passkey } = await addActorWithPasskey()
  const other = await actorFor(await addPerson({ email: 'eve@example.org' }))
  const taken = await addPasskey(other, passkey.create(await startFor(other)), device, createRowId())
  const broken = await addPasskey(other, passkey.create(await startFor(other), { verified: false }), device, createRowId())
  expect(taken).toEqual(broken)
  expect(await renamePasskey(other, passkey.id, 'Mine', createRowId())).toMatchObject({ problem: { code: 'not_found' } })
})

test('an account has at most 20 passkeys, also when two are added at once; names have limits', async () => {
  await using _ = await openPortalDatabase()
  const { actor, passkey } = await addActorWithPasskey()
  for (let n = 2; n < maxPasskeys; n += 1) await addTo(actor)
  const ready = [await startFor(actor), await startFor(actor)]
  const both = await Promise.all(
    ready.map((options) => addPasskey(actor, softPasskey(actor.user.id).create(options), device, createRowId())),
  )
  expect(both.map(({ ok }) => ok).sort()).toEqual([false, true])
  expect(await startPasskey(actor, device.peer)).toMatchObject({ problem: { code: 'forbidden' } })
  for (const label of ['', ' ', 'x'.repeat(81), 'a\u202eb'])
    expect(await renamePasskey(actor, passkey.id, label, createRowId())).toMatchObject({
      problem: { fields: { label: expect.any(String) } },
    })
  expect(await renamePasskey(actor, passkey.id, ' My phone ', createRowId())).toEqual({ ok: true, data: { label: 'My phone' } })
})
