/** `npm run keys` as the operator runs it: a process of its own on the database and key files of a portal that runs on. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { recordAudit } from '@/lib/portal/audit/record'
import { sealCredential } from '@/lib/portal/custody/credential'
import { prepareNextKey } from '@/lib/portal/custody/new-key'
import { closeRing, openRing } from '@/lib/portal/custody/ring'
import { forgetSecrets } from '@/lib/portal/custody/secrets'
import { retire, rotate, verify } from '@/lib/portal/entry/key-acts'
import { callWithCredential } from '@/lib/portal/upstream/with-key'
import { openPortalDatabase, type PortalDatabase } from '@/tests/support/portal-database'
import { startUpstream } from '@/tests/support/upstream/upstream'

const key = 'gh_canary-of-the-command'

type Ended = { code: number; stdout: string; stderr: string }

function runKeys({ settings }: PortalDatabase, args: string[], extra: Record<string, string> = {}): Promise<Ended> {
  const env = { ...process.env, GATEHOUSE_DATA: settings.dataDir, GATEHOUSE_KEYS: settings.keysDir, LOG_LEVEL: 'silent', ...extra }
  const command = ['--conditions=react-server', '--import', 'tsx', 'lib/portal/entry/keys.ts', ...args]
  return promisify(execFile)(process.execPath, command, { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: Ended) => ({ code, stdout, stderr }),
  )
}

/** One team, one connection and one row of the record: three sealed values with the keys of the record and of fingerprints. */
async function furnish(portal: PortalDatabase, origin = 'https://a.example') {
  await portal.db.team.create({ data: { id: 't1', name: 'Team' } })
  const identity = { id: 'c1', teamId: 't1', ownerId: null, origin, basePath: '', secretVersion: 1, kind: 'foreign' as const, label: 'x' }
  const sealed = await sealCredential({ connection: identity, key })
  await portal.db.connection.create({ data: { ...identity, state: 'untried', ...sealed } })
  const event = { teamId: 't1', actor: { kind: 'gatehouse' }, action: 'session.signIn', stage: 'event', outcome: 'done' } as const
  await recordAudit({ ...event, object: { kind: 'team', id: 't1' } })
}

const statesOf = async ({ db }: PortalDatabase) => (await db.keyEncryptionKey.findMany()).map(({ state }) => state).sort()

const passTenMinutes = ({ db }: PortalDatabase) =>
  db.keyEncryptionKey.updateMany({ where: { state: 'active' }, data: { createdAt: new Date(Date.now() - 11 * 60_000) } })

test('security 7: npm run keys -- rotate rotates the key while the portal runs; once retired, the old file may be removed', async () => {
  await using portal = await openPortalDatabase()
  await using upstream = await startUpstream({ key })
  await furnish(portal, upstream.origin)
  const { portalKekFile, portalOldKekFile } = portal.settings
  const before = readFileSync(portalKekFile, 'utf8')

  const rotated = await runKeys(portal, ['rotate'])
  expect(rotated).toMatchObject({ code: 0, stderr: '' })
  expect(rotated.stdout).toMatch(/^3 sealed values open, all under the key [0-9a-f]{16}\.\n.*\.\/gatehouse keys retire\n$/)
  expect(readFileSync(portalOldKekFile, 'utf8')).toBe(before)
  expect(readFileSync(portalKekFile, 'utf8')).not.toBe(before)
  expect(rotated.stdout).not.toContain(readFileSync(portalKekFile, 'utf8').trim())
  // The portal still has the ring that it opened before.
  const connection = await portal.db.connection.findUniqueOrThrow({ where: { id: 'c1' } })
  expect(await callWithCredential(connection, { method: 'GET', path: '/servers/' }, { pace: 'read' })).toMatchObject({ status: 200 })

  await expect(retire()).rejects.toThrow('less than ten minutes ago')
  await passTenMinutes(portal)
  expect(await retire()).toContain(`Move ${portalOldKekFile} away`)
  expect(await statesOf(portal)).toEqual(['active', 'retired'])
  rmSync(portalOldKekFile)
  closeRing()
  forgetSecrets()
  await openRing()
  expect(await verify()).toMatch(/^4 .+\nLog integrity verified: 5 entries/)
  expect(await retire()).toBe('There is no old key to retire.\n')
  const rows = await portal.db.auditRow.findMany({ where: { actorKind: 'operator' }, orderBy: { seq: 'asc' } })
  expect(rows.map(({ action, stage, outcome }) => `${action} ${stage} ${outcome}`)).toEqual([
    'key.rotate intent asked',
    'key.rotate outcome done',
    'key.retire intent asked',
    'key.retire outcome done',
  ])
})

test('security 7: the next rotation finishes an interrupted one; a new one starts only when the retired key file is gone', async () => {
  await using portal = await openPortalDatabase()
  await furnish(portal)
  const { portalKekFile, portalOldKekFile } = portal.settings
  const first = readFileSync(portalKekFile, 'utf8')
  // As left by a process that died between putting the new key in place and using it: a start still finds both.
  const next = await prepareNextKey()
  closeRing()
  await openRing()
  expect(await rotate()).toContain(`all under the key ${next}`)
  // As left by one that died before it had moved every row.
  expect(await rotate()).toContain(`all under the key ${next}`)
  expect(await statesOf(portal)).toEqual(['active', 'decryptOnly'])
  expect(readFileSync(portalOldKekFile, 'utf8')).toBe(first)
  await passTenMinutes(portal)
  await retire()
  await expect(rotate()).rejects.toThrow('Move it away first')
  rmSync(portalOldKekFile)
  expect(await rotate()).not.toContain(next)
  expect(await statesOf(portal)).toEqual(['active', 'decryptOnly', 'retired'])
})

test('security 8: two simultaneous rotations lose no key', async () => {
  await using portal = await openPortalDatabase()
  await furnish(portal)
  await Promise.all([runKeys(portal, ['rotate']), runKeys(portal, ['rotate'])])
  expect((await statesOf(portal)).filter((state) => state === 'active')).toHaveLength(1)
  closeRing()
  await openRing()
  expect(await rotate()).toMatch(/^4 sealed values open, all/)
})

test('npm run keys -- verify names what cannot be decrypted and where the log was changed, and exits with 1', async () => {
  await using portal = await openPortalDatabase()
  await furnish(portal)
  const mark = /mark ([0-9a-f]{64})\.\n$/.exec(await verify())?.[1] ?? ''
  await portal.db.connection.update({ where: { id: 'c1' }, data: { origin: 'https://thief.example' } })
  await portal.db.auditRow.update({ where: { seq: 1 }, data: { outcome: 'failed' } })
  const spoilt = /^Connection c1 cannot be decrypted: .+\nThe audit log cannot be trusted from entry 1 on\. The entry was changed\.\n$/
  expect(await runKeys(portal, ['verify', mark])).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(spoilt) })
  await portal.db.auditRow.deleteMany()
  await expect(verify(mark)).rejects.toThrow('Entries at the end are missing.')
  await portal.db.sealedSecret.update({ where: { id: 'audit.1' }, data: { sealed: Buffer.alloc(120) } })
  forgetSecrets()
  await expect(verify()).rejects.toThrow('its key cannot be decrypted')
  expect(await statesOf(portal)).toEqual(['active'])
})

test('a key in the environment is not rotated, and the advice does not print it', async () => {
  await using portal = await openPortalDatabase({ environment: { GATEHOUSE_KEK: randomBytes(32).toString('base64') } })
  await furnish(portal)
  await expect(rotate()).rejects.toThrow(/^GATEHOUSE_KEK holds one key, but a rotation needs two\. Put it into \S+kek\.key/)
  expect(existsSync(portal.settings.portalKekFile)).toBe(false)
})

test('npm run keys reports errors in one line', async () => {
  await using portal = await openPortalDatabase()
  const wrong = { code: 2, stdout: '', stderr: expect.stringMatching(/^Usage: gatehouse keys verify \[MARK\]\n/) }
  expect(await runKeys(portal, ['toString'])).toEqual(wrong)
  expect(await runKeys(portal, ['rotate', 'abc'])).toEqual(wrong)
  expect(await runKeys(portal, ['verify'], { GATEHOUSE_DATA: '/nonexistent' })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^There is no database at .+\n$/),
  })
  chmodSync(portal.settings.portalKekFile, 0o644)
  expect(await runKeys(portal, ['verify'])).toEqual({
    code: 78,
    stdout: '',
    stderr: expect.stringMatching(/^The key file \S+ is accessible to other users [^\n]+\n$/),
  })
})
