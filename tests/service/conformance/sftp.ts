/** What every provider must do for the SFTP keys of sites over HTTP. */
import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { get, post, type Said, type Target } from '../support/caller'
import { createSite, deleteSite } from '../support/slow-work'
import { newSite, type SitesTarget } from './sites'

const domain = 'keys.example.org'
const other = 'otherkeys.example.org'

/** Parts of a key as files have them, each with its length before it. */
function keyOf(type: string, ...parts: (Buffer | string)[]): string {
  const lengthOf = (part: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(part.length)
    return length
  }
  const bytes = [type, ...parts].map((part) => Buffer.from(part)).flatMap((part) => [lengthOf(part), part])
  return `${type} ${Buffer.concat(bytes).toString('base64')}`
}

const ed25519 = (byte: number): string => keyOf('ssh-ed25519', Buffer.alloc(32, byte))
const rsa = (bits: number): string =>
  keyOf('ssh-rsa', Buffer.from([1, 0, 1]), Buffer.concat([Buffer.from([0]), Buffer.alloc(bits / 8, 0xc1)]))
/** A point of the curve nistp256. */
const point =
  '046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5'
const ecdsa = keyOf('ecdsa-sha2-nistp256', 'nistp256', Buffer.from(point, 'hex'))

const fingerprintOf = (key: string): string =>
  `SHA256:${createHash('sha256')
    .update(Buffer.from(key.split(' ')[1] ?? '', 'base64'))
    .digest('base64')
    .replace(/=+$/, '')}`

/** Not written here as such, so that nobody takes this file for a leak. */
const privateKey = ['-----BEGIN OPENSSH', 'PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjE\n-----END OPENSSH', 'PRIVATE KEY-----'].join(' ')

/** Values that are refused, with a part of the reason. */
const refused: readonly (readonly [string, string])[] = [
  ['', 'Enter a public key'],
  [privateKey, 'This is a private key'],
  [privateKey.replaceAll('\n', ' '), 'This is a private key'],
  ['PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\nAAAA', 'This is a private key'],
  [`${ed25519(1)} a\n${ed25519(2)} b`, 'one line'],
  ['hello', 'no public key'],
  ['ssh-ed25519', 'no public key'],
  ['ssh-ed25519 AAAA', 'no public key'],
  ['ssh-ed25519 $(id)', 'no public key'],
  [ed25519(1).replace('ssh-ed25519 ', 'ssh-rsa '), 'no public key'],
  [ed25519(1).slice(0, -3), 'no public key'],
  [keyOf('ssh-ed25519', Buffer.alloc(31)), 'no public key'],
  [keyOf('ssh-dss', 'p', 'q', 'g', 'y'), 'no public key'],
  [keyOf('ssh-ed25519-cert-v01@openssh.com', Buffer.alloc(32)), 'no public key'],
  [rsa(1024), '1024 bits'],
  [`command="/bin/sh" ${ed25519(1)} x`, 'without options'],
  [`restrict,pty ${ed25519(1)}`, 'without options'],
  [`${ed25519(1)} bell\u0007`, 'unprintable'],
  [`${ed25519(1)} nul\u0000`, 'not allowed'],
  [`${ed25519(1)} ${'x'.repeat(4096)}`, 'at most 4096 bytes'],
  ['x'.repeat(20_000), 'too long'],
]

const add = (target: Target, id: string, key: string): Promise<Said> => post(target, `/sites/${id}/savesftpkey`, { key })
const remove = (target: Target, id: string, fingerprint: string): Promise<Said> =>
  post(target, `/sites/${id}/deletesftpkey`, { fingerprint })
const done = { status: 200, body: { success: true } }

async function keysOf(target: Target, id: string) {
  const { status, body } = await get(target, `/sites/${id}/sftpkeys`)
  expect([status, body.success]).toEqual([200, true])
  return body.items as { fingerprint: string; type: string; bits?: number; comment: string; key: string }[]
}

async function proveRefusals(target: Target, id: string): Promise<void> {
  for (const [key, reason] of refused) {
    const { status, body } = await add(target, id, key)
    expect([key, status, body.code]).toEqual([key, 422, 'invalid'])
    expect((body.fields as { key: string }).key).toContain(reason)
    expect(JSON.stringify(body)).not.toContain('b3BlbnNzaC1rZXktdjE')
  }
  for (const fingerprint of ['', 'SHA256:', '*', `MD5:${'a'.repeat(43)}`, `SHA256:${'a'.repeat(44)}`, '$(id)'])
    expect(await remove(target, id, fingerprint)).toMatchObject({ status: 422, body: { code: 'invalid' } })
  expect(await keysOf(target, id)).toEqual([])
}

/** stranger: the same service with the key of another account. Leaves the server without the sites that it creates. */
export async function proveSftpKeys(target: SitesTarget, stranger: Target): Promise<void> {
  const id = String((await createSite(target, newSite(target, domain))).body.id)
  const otherId = String((await createSite(target, newSite(target, other))).body.id)
  for (const [who, which] of [[target, 'no-such-site'] as const, [stranger, id] as const]) {
    const absent = { status: 404, body: { code: 'not_found' } }
    expect(await get(who, `/sites/${which}/sftpkeys`)).toMatchObject(absent)
    expect(await add(who, which, ed25519(1))).toMatchObject(absent)
    expect(await remove(who, which, fingerprintOf(ed25519(1)))).toMatchObject(absent)
  }
  await proveRefusals(target, id)

  const comment = `kim@laptop $(id) \`id\` 'ü' "x" \\ # ${'long '.repeat(100)}end`
  expect(await add(target, id, `  ${ed25519(1)}   ${comment} \n`)).toMatchObject(done)
  expect(await add(target, id, `${rsa(2048)} #`)).toMatchObject(done)
  expect(await add(target, id, ecdsa)).toMatchObject(done)
  expect(await keysOf(target, id)).toEqual([
    { fingerprint: fingerprintOf(ed25519(1)), type: 'ssh-ed25519', comment, key: `${ed25519(1)} ${comment}` },
    { fingerprint: fingerprintOf(rsa(2048)), type: 'ssh-rsa', bits: 2048, comment: '#', key: `${rsa(2048)} #` },
    { fingerprint: fingerprintOf(ecdsa), type: 'ecdsa-sha2-nistp256', bits: 256, comment: '', key: ecdsa },
  ])
  expect(await keysOf(target, otherId)).toEqual([])
  const present = { status: 409, body: { code: 'unsuitable', error: expect.stringContaining('has this key already') } }
  expect(await add(target, id, `${ed25519(1)} another comment`)).toMatchObject(present)
  // The same key may sign in to another site.
  expect(await add(target, otherId, ed25519(1))).toMatchObject(done)

  expect(await remove(target, id, fingerprintOf(rsa(2048)))).toMatchObject(done)
  expect((await keysOf(target, id)).map(({ type }) => type)).toEqual(['ssh-ed25519', 'ecdsa-sha2-nistp256'])
  const gone = { status: 409, body: { code: 'changed_meanwhile' } }
  expect(await remove(target, id, fingerprintOf(rsa(2048)))).toMatchObject(gone)
  // What the list answered can be saved again.
  const [first] = await keysOf(target, id)
  expect(await remove(target, id, fingerprintOf(ed25519(1)))).toMatchObject(done)
  expect(await add(target, id, first?.key ?? '')).toMatchObject(done)
  expect((await keysOf(target, id)).at(-1)).toEqual(first)

  for (let byte = 2; byte < 20; byte++) expect(await add(target, id, ed25519(byte))).toMatchObject(done)
  const full = { status: 409, body: { code: 'unsuitable', error: expect.stringContaining('at most 20 SFTP keys') } }
  expect(await add(target, id, ed25519(20))).toMatchObject(full)
  for (const { fingerprint } of await keysOf(target, id)) expect(await remove(target, id, fingerprint)).toMatchObject(done)
  expect(await keysOf(target, id)).toEqual([])
  expect((await keysOf(target, otherId)).map(({ fingerprint }) => fingerprint)).toEqual([fingerprintOf(ed25519(1))])
  for (const each of [id, otherId]) expect(await deleteSite(target, each, '?without_backup=1')).toMatchObject({ status: 200 })
}
