/** What a thief finds in the database's files after secrets of many kinds were made. */
import { Secret } from 'otpauth'
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { sealBackupTarget } from '@/lib/portal/custody/backup-target'
import { addChannel } from '@/lib/portal/delivery/change'
import { createLink } from '@/lib/portal/identity/one-time-link'
import { createChallenge } from '@/lib/portal/identity/passkeys/challenges'
import { createResetLink } from '@/lib/portal/subjects/team/reset-link'
import { inputOf } from '@/tests/support/own-input'
import { dumpPortal, openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { device, openFor } from '../identity/people'
import { addActorWithApp } from '../identity/second-factor/authenticator'
import { invite, tokenOf } from '../subjects/team/inviting'

const apiKey = 'gh_canary-4c1e9d7720aa48b1b3f6'

/** One of each kind, as the portal shows it; codes and seed as apps and typists write them too. */
async function makeSecrets(): Promise<Record<string, string>> {
  const { person, app, codes } = await addActorWithApp()
  const team = await createTeam()
  const [owner, viewer] = [await team.join('owner'), await team.join('viewer')]
  await team.connect({ origin: 'https://a.example', key: apiKey })
  const reset = await createResetLink(inputOf(owner, { memberId: viewer.user.id }))
  const [url, token] = ['https://ntfy.example/canary-topic-7d1c', 'tk_canary-of-a-token-91af']
  const fields = { label: 'Phone', topics: 'servers', timeZone: 'UTC' }
  await addChannel(inputOf(owner, { ...fields, kind: 'ntfy', url, token }))
  const hook = await addChannel(inputOf(owner, { ...fields, kind: 'webhook', url: 'https://hooks.example/canary-path-55e0' }))
  const challenge = await createChallenge({ purpose: 'signIn', boundTo: 'a browser' }, device.peer)
  const target = { id: 'a', teamId: team.id, ownerId: null, kind: 's3', address: '{}', secretVersion: 1 } as const
  const pair = (name: string) => ({ accessKeyId: `canary-id-${name}`, secretAccessKey: `canary-secret-${name}` })
  const sealed = await sealBackupTarget(target, { server: pair('server'), maintenance: pair('maintenance') })
  await db().backupTarget.create({ data: { ...target, label: 'Copies', checkedAt: new Date(), ...sealed } })
  if (!reset.ok || !challenge.ok || !hook.ok) throw new Error('A secret was not made.')
  return {
    apiKey,
    'topic of a channel': 'canary-topic-7d1c',
    'path of a channel': 'canary-path-55e0',
    'token of a channel': token,
    'secret of a webhook': hook.data.secret ?? '',
    'server key of a backup target': 'canary-secret-server',
    'maintenance key of a backup target': 'canary-secret-maintenance',
    'id of a key of a backup target': 'canary-id-server',
    seed: app.secret.replaceAll(' ', ''),
    'seed as shown': app.secret,
    ...Object.fromEntries(codes.flatMap((code) => [code, code.replaceAll('-', '')]).map((code) => [`recovery code ${code}`, code])),
    session: (await openFor(person)).sid,
    invitation: await invite(owner),
    reset: tokenOf(reset.data.link),
    email: tokenOf(await createLink('email', viewer.user.id, { email: 'ada@new.example' })),
    challenge: challenge.data.challenge,
  }
}

const base32 = /^[A-Z2-7 -]+$/

/** The random bytes that a code or token encodes. */
const decode = (text: string): Uint8Array =>
  base32.test(text) ? Secret.fromBase32(text.replace(/[ -]/g, '')).bytes : Buffer.from(text, 'base64url')

/** The ways in which a database could have it: the text and the bytes it encodes, each plain, in hex and in base64. */
function spell([name, text]: [string, string]): [string, Buffer][] {
  const forms = { text: Buffer.from(text), bytes: Buffer.from(decode(text)) }
  return Object.entries(forms).flatMap(([form, bytes]): [string, Buffer][] => [
    [`${name}, ${form}`, bytes],
    [`${name}, ${form} in hex`, Buffer.from(bytes.toString('hex'))],
    // Without the end, which depends on what follows.
    [`${name}, ${form} in base64`, Buffer.from(bytes.toString('base64').slice(0, -3))],
    [`${name}, ${form} in base64url`, Buffer.from(bytes.toString('base64url').slice(0, -3))],
  ])
}

test('security 4: seeds, recovery codes, session ids, links, challenges and API keys are in no file of the database', async () => {
  await using portal = await openPortalDatabase()
  const secrets = Object.entries(await makeSecrets()).flatMap(spell)
  const find = () => {
    const files = dumpPortal(portal)
    return secrets.filter(([, bytes]) => files.includes(bytes)).map(([name]) => name)
  }
  expect(find()).toEqual([])
  // Each of them would have been found.
  const { id: userId } = await portal.db.user.findFirstOrThrow()
  const row = { userId, label: '', counter: 0, transports: '', backedUp: false }
  await portal.db.passkey.createMany({ data: secrets.map(([id, bytes]) => ({ ...row, id, publicKey: Uint8Array.from(bytes) })) })
  expect(find()).toEqual(secrets.map(([name]) => name))
})
