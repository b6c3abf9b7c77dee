/** Scheduled backups with the real age and gpg: encrypted, whole or not there at all, and restorable. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { restore } from '@/lib/backup/restore'
import { formatArchiveName, listArchives } from '@/lib/backup/scheduled/archive-name'
import { makeBackup, stagingFolder } from '@/lib/backup/scheduled/make'
import { type BackupState, createBackupCheck, settleKilled } from '@/lib/backup/scheduled/regularly'
import { unpackArchive } from '@/lib/backup/scheduled/unpack'
import { parseSettings } from '@/lib/settings/settings'
import { runSql } from '../support/sqlite-file'
import { canary, makeScene, now, reasonOf } from './scheduled-scene'

/** A program of the given name that the test runs in place of the real one. */
function putProgram(dir: string, name: string, script: string): string {
  const file = join(dir, name)
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o755)
  return file
}

const everything = (folder: string): string[] => readdirSync(folder).sort()

test('what lies in the folder is encrypted; age and tar alone make a backup of it that is restored', async () => {
  const scene = makeScene()
  const { name, bytes } = await scene.make()
  expect(name).toBe('gatehouse-portal-2026-11-27T03-00-05Z.tar.gz.age')
  expect(everything(scene.folder)).toEqual([name])
  const file = join(scene.folder, name)
  expect([statSync(file).size, statSync(file).mode & 0o777]).toEqual([bytes, 0o600])
  expect(readFileSync(file).subarray(0, 21).toString()).toBe('age-encryption.org/v1')
  expect(readFileSync(file).includes(canary)).toBe(false)
  expect(existsSync(stagingFolder(scene.settings, 'portal'))).toBe(false)

  const out = join(scene.dir, 'out')
  mkdirSync(out)
  const packed = execFileSync('age', ['--decrypt', '--identity', scene.identity, file])
  execFileSync('tar', ['-xzf', '-', '-C', out], { input: packed })
  const restored = parseSettings({}, join(scene.dir, 'restored'))
  const names = await restore(restored, { databases: join(out, 'databases'), keys: join(out, 'keys') })
  expect(names).toEqual(['portal-audit-heads', 'portal.db', 'portal-kek.key', 'portal-session.key'])
  expect(runSql(restored.portalDatabase, 'SELECT n FROM t')).toEqual([{ n: canary }])
  expect(readFileSync(restored.portalKekFile, 'utf8')).toBe(readFileSync(scene.settings.portalKekFile, 'utf8'))
})

test('the halves are archives of their own, and both are restored into the same folders', async () => {
  const scene = makeScene()
  const { backup, dataDir } = scene.settings
  if (backup === null) throw new Error('no backups')
  const made = [await scene.make(), await makeBackup({ settings: scene.settings, backup, half: 'service', now })]
  const restored = parseSettings({}, join(scene.dir, 'restored'))
  const names = []
  for (const { name } of made) {
    const into = join(scene.dir, name)
    mkdirSync(into, { mode: 0o700 })
    const folders = await unpackArchive(join(scene.folder, name), { identity: scene.identity, into, settings: scene.settings })
    names.push(await restore(restored, folders))
    await expect(restore(restored, folders)).rejects.toThrow(/is not empty/)
  }
  expect(names[1]).toEqual(['service.db', 'service-kek.key'])
  expect(everything(restored.dataDir)).toEqual(everything(dataDir))
})

test('gpg encrypts to a public key file, without touching anybody’s own keys, and its archive is read back', async () => {
  const home = mkdtempSync(join(tmpdir(), 'gh-gpg-'))
  const gpg = (...args: string[]) =>
    execFileSync('gpg', ['--batch', '--quiet', '--homedir', home, ...args], { stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => {
    execFileSync('gpgconf', ['--homedir', home, '--kill', 'all'])
    rmSync(home, { recursive: true, force: true })
  })
  gpg('--passphrase', '', '--quick-generate-key', 'Backups <backups@example.org>', 'rsa2048', 'encrypt', 'never')
  const keyFile = join(home, 'public.asc')
  writeFileSync(keyFile, gpg('--armor', '--export'))
  const identity = join(home, 'secret.asc')
  writeFileSync(identity, gpg('--armor', '--export-secret-keys'))
  const scene = makeScene({ BACKUP_RECIPIENT: keyFile, GATEHOUSE_KEYS: join(home, 'own-keys') })
  const { name } = await scene.make()
  expect(name).toMatch(/\.gpg$/)
  expect(readFileSync(join(scene.folder, name)).includes(canary)).toBe(false)
  const into = join(scene.dir, 'into')
  mkdirSync(into, { mode: 0o700 })
  const { databases } = await unpackArchive(join(scene.folder, name), { identity, into, settings: scene.settings })
  expect(everything(databases)).toEqual(['manifest.json', 'portal-audit-heads', 'portal.db'])
})

test('a command gets the archive, its name and its length, and none of Gatehouse’s settings', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-command-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const command = putProgram(dir, 'store', `cat > "${dir}/stored"; printf '%s\\n' "$@" > "${dir}/arguments"; env > "${dir}/environment"`)
  const scene = makeScene({ BACKUP_COMMAND: command })
  process.env.A_SECRET_OF_THE_PORTAL = 'secret-value'
  onTestFinished(() => {
    delete process.env.A_SECRET_OF_THE_PORTAL
  })
  const { name, bytes } = await scene.make()
  expect(readFileSync(join(dir, 'arguments'), 'utf8')).toBe(`${name}\n${bytes}\n`)
  expect(statSync(join(dir, 'stored')).size).toBe(bytes)
  expect(readFileSync(join(dir, 'environment'), 'utf8')).not.toContain('secret-value')
  const decrypted = execFileSync('age', ['--decrypt', '--identity', scene.identity, join(dir, 'stored')])
  expect(decrypted.subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]))
  expect(existsSync(stagingFolder(scene.settings, 'portal'))).toBe(false)
})

test('a command that fails, or is not there, is a failed backup with the reason, and nothing stays', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-command-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  // It does not even read the archive.
  const scene = makeScene({ BACKUP_COMMAND: putProgram(dir, 'store', 'echo quota exceeded >&2; exit 3') })
  await expect(scene.make()).rejects.toThrow(/store ended with 3\. quota exceeded$/)
  expect(await reasonOf(scene.make())).toBe('command')
  expect(existsSync(stagingFolder(scene.settings, 'portal'))).toBe(false)
  expect(await reasonOf(makeScene({ BACKUP_COMMAND: join(dir, 'nothing') }).make())).toBe('command')
})

test('a folder that is gone or full keeps what it had and gets nothing that is half', async () => {
  const scene = makeScene()
  const { name } = await scene.make()
  // The unfinished archive fills it: a tiny file system of its own.
  const full = join(scene.dir, 'full')
  mkdirSync(full)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32k', 'none', full])
  onTestFinished(() => void execFileSync('umount', [full]))
  runSql(scene.settings.portalDatabase, 'INSERT INTO t VALUES (hex(randomblob(200000)))')
  const { backup } = scene.settings
  if (backup === null) throw new Error('no backups')
  const intoFull = makeBackup({ settings: scene.settings, backup: { ...backup, target: { folder: full } }, half: 'portal', now })
  expect(await reasonOf(intoFull)).toBe('disk_full')
  expect(everything(full)).toEqual([])
  expect(everything(scene.folder)).toEqual([name])
  rmSync(scene.folder, { recursive: true })
  expect(await reasonOf(scene.make())).toBe('folder')
  expect(existsSync(stagingFolder(scene.settings, 'portal'))).toBe(false)
})

test('a recipient that age refuses, and databases that are gone, fail with their reasons', async () => {
  const scene = makeScene({ BACKUP_RECIPIENT: `age1${'q'.repeat(58)}` })
  expect(await reasonOf(scene.make())).toBe('encryption')
  expect(everything(scene.folder)).toEqual([])
  const damaged = makeScene()
  writeFileSync(damaged.settings.portalDatabase, 'no database at all, but long enough to be read as one'.repeat(100))
  rmSync(`${damaged.settings.portalDatabase}-wal`, { force: true })
  expect(await reasonOf(damaged.make())).toBe('copy')
  expect(everything(damaged.folder)).toEqual([])
})

/** Takes the place of age: begins to answer and hangs. */
function hangAge(dir: string): void {
  const bin = join(dir, 'bin')
  mkdirSync(bin)
  putProgram(bin, 'age', 'echo begun; exec sleep 600')
  const { PATH } = process.env
  process.env.PATH = `${bin}:${PATH}`
  onTestFinished(() => {
    process.env.PATH = PATH
  })
}

test('a program that hangs is ended with all that it started', async () => {
  const scene = makeScene()
  hangAge(scene.dir)
  expect(await reasonOf(scene.make(now, 500))).toBe('too_long')
  expect(everything(scene.folder)).toEqual([])
})

/** What a half keeps, in memory, and a log that keeps the texts of its lines. */
function makeMemory() {
  const stored: BackupState[] = []
  const lines: string[] = []
  const memory = {
    read: async () => stored.at(-1) ?? null,
    write: async ({ state }: { state: BackupState }) => void stored.push(state),
  }
  const log = { info: (_: object, text: string) => void lines.push(text), error: (_: object, text: string) => void lines.push(text) }
  return { stored, lines, memory, log }
}

test('a killed run leaves no archive, counts as failed from the next start on, and is tried again an hour later', async () => {
  const scene = makeScene()
  const source = `
    import { makeBackup } from '@/lib/backup/scheduled/make'
    import { parseSettings } from '@/lib/settings/settings'
    const settings = parseSettings(JSON.parse(process.env.OF_THE_TEST), ${JSON.stringify(join(scene.dir, 'gatehouse'))})
    await makeBackup({ settings, backup: settings.backup, half: 'portal', now: new Date(${now.getTime()}) })`
  const { backup } = scene.settings
  if (backup?.recipient.program !== 'age') throw new Error('no age')
  const { PATH = '' } = process.env
  hangAge(scene.dir)
  const OF_THE_TEST = JSON.stringify({ BACKUP_RECIPIENT: backup.recipient.key, BACKUP_FOLDER: scene.folder })
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', source], {
    env: { ...process.env, OF_THE_TEST },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const unfinished = () => everything(scene.folder).find((name) => statSync(join(scene.folder, name)).size > 0)
  await expect.poll(unfinished, { timeout: 20_000 }).toMatch(/^\.gatehouse-portal-.*\.unfinished$/)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(listArchives(everything(scene.folder), 'portal')).toEqual([])
  expect(existsSync(stagingFolder(scene.settings, 'portal'))).toBe(true)
  process.env.PATH = PATH
  const { stored, lines, memory, log } = makeMemory()
  const half = { settings: scene.settings, half: 'portal', memory, log } as const
  await settleKilled(half)
  const interrupted = { attemptedAt: now, reason: 'interrupted', doneAt: null, bytes: 0, failures: 1 }
  expect([stored, lines]).toEqual([[interrupted], ['the backup failed']])
  expect(existsSync(stagingFolder(scene.settings, 'portal'))).toBe(false)
  // Nothing was killed since.
  await settleKilled(half)
  expect(stored).toHaveLength(1)
  const check = createBackupCheck(half)
  await check(new Date(now.getTime() + 59 * 60_000))
  expect(stored).toHaveLength(1)
  await check(new Date(now.getTime() + 60 * 60_000))
  expect(stored.at(-1)?.reason).toBe('')
  expect(everything(scene.folder)).toEqual([formatArchiveName('portal', new Date(now.getTime() + 60 * 60_000), 'age')])
})

test('a truncated archive, another identity and files that do not belong are refused', async () => {
  const scene = makeScene()
  const { name } = await scene.make()
  const file = join(scene.folder, name)
  const unpack = (into: string, identity = scene.identity, from = file) => {
    mkdirSync(join(scene.dir, into), { mode: 0o700 })
    return unpackArchive(from, { identity, into: join(scene.dir, into), settings: scene.settings })
  }
  await expect(unpack('other', makeScene().identity)).rejects.toThrow(/could not be decrypted: .*no identity matched/)
  const cut = join(scene.dir, 'gatehouse-portal-2026-11-28T03-00-05Z.tar.gz.age')
  writeFileSync(cut, readFileSync(file).subarray(0, -100))
  await expect(unpack('cut', scene.identity, cut)).rejects.toThrow(/could not be decrypted/)
  const { backup } = scene.settings
  if (backup?.recipient.program !== 'age') throw new Error('no age')
  const foreign = join(scene.dir, 'gatehouse-portal-2026-11-29T03-00-05Z.tar.gz.age')
  mkdirSync(join(scene.dir, 'databases'))
  writeFileSync(join(scene.dir, 'databases', 'authorized_keys'), 'x')
  const packed = execFileSync('tar', ['-czf', '-', '--format=ustar', '-C', scene.dir, 'databases/authorized_keys'])
  writeFileSync(foreign, execFileSync('age', ['--encrypt', '--recipient', backup.recipient.key], { input: packed }))
  await expect(unpack('foreign', scene.identity, foreign)).rejects.toThrow(/contains files that are not of a backup/)
  await expect(unpack('named', scene.identity, scene.identity)).rejects.toThrow(/does not have the name of a scheduled backup/)
})

test('archives past their retention are deleted after a success only, and nothing else in the folder is', async () => {
  const scene = makeScene({ BACKUP_KEEP: '2', BACKUP_KEEP_DAYS: '1' })
  writeFileSync(join(scene.folder, 'notes.txt'), '')
  const days = [20, 21, 22, 27].map((day) => new Date(now.getTime() - (27 - day) * 86_400_000))
  const made = []
  for (const day of days) made.push((await scene.make(day)).name)
  expect(everything(scene.folder)).toEqual([...made.slice(-2), 'notes.txt'])
  // The same second once more, as after a clock that was set back.
  const again = await scene.make(days.at(-1))
  expect(again.name).toBe('gatehouse-portal-2026-11-27T03-00-06Z.tar.gz.age')
})

test('a check makes one backup when it is due, retries a failure after an hour, and stores each outcome', async () => {
  const scene = makeScene()
  const { stored, lines, memory, log } = makeMemory()
  const check = createBackupCheck({ settings: scene.settings, half: 'portal', memory, log })
  const at = (text: string) => new Date(`2026-11-${text}:00Z`)
  await Promise.all([check(at('27T14:00')), check(at('27T14:00'))])
  await check(at('28T02:59'))
  expect(stored).toEqual([{ attemptedAt: at('27T14:00'), reason: '', doneAt: at('27T14:00'), bytes: expect.any(Number), failures: 0 }])
  rmSync(scene.folder, { recursive: true })
  await check(at('28T03:00'))
  await check(at('28T03:59'))
  expect(stored.at(-1)).toEqual({ ...stored[0], attemptedAt: at('28T03:00'), reason: 'folder', failures: 1 })
  mkdirSync(scene.folder)
  await check(at('28T04:00'))
  expect(stored).toHaveLength(3)
  expect(stored.at(-1)).toEqual({ attemptedAt: at('28T04:00'), reason: '', doneAt: at('28T04:00'), bytes: expect.any(Number), failures: 1 })
  expect(lines).toEqual(['backup made', 'the backup failed', 'backup made'])
})

test('while its database takes no writes, a half does not make an archive every minute', async () => {
  const scene = makeScene()
  const lines: string[] = []
  const log = { info: () => undefined, error: (_: object, text: string) => void lines.push(text) }
  const memory = { read: async () => null, write: () => Promise.reject(new Error('disk full')) }
  const check = createBackupCheck({ settings: scene.settings, half: 'portal', memory, log })
  for (const minute of [0, 1, 2]) await check(new Date(now.getTime() + minute * 60_000))
  expect(everything(scene.folder)).toHaveLength(1)
  expect(lines).toEqual(['the outcome of a backup could not be stored'])
})
