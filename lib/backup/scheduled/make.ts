/** Makes one scheduled backup of one half: copied, packed, encrypted and delivered. */
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { chmod, link, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { SqliteError, sqliteCode } from '@/lib/database/connection'
import { copyPlaceInBackground } from '@/lib/database/copy-place'
import type { BackupSettings } from '@/lib/settings/backup'
import type { Settings } from '@/lib/settings/settings'
import { findMade } from '../backup'
import { type BackupFile, backupLayout } from '../layout'
import { describeContent, describeFile, type ListedFile, manifestName, renderManifest } from '../manifest'
import { findHeldIn, findNeededKeys } from '../master-keys'
import { findExpired, formatArchiveName, type Half, isUnfinished, unfinishedName } from './archive-name'
import { startEncryption } from './encrypt'
import { type FailureReason, ScheduledBackupError } from './failure'
import { type Program, startProgram } from './program'
import { storeInBucket } from './store-in-bucket'
import { type TarFile, writeTar } from './tar'

/** bytes: of the encrypted archive. expired: how many older ones were deleted. */
export type Made = { name: string; bytes: number; expired: number }

export type MakeOptions = {
  settings: Settings
  backup: BackupSettings
  half: Half
  /** Names the archive, and decides what is past its retention. */
  now: Date
  /** How long encrypting and storing may take. */
  maxMs?: number
}

const usualMaxMs = 6 * 3_600_000

/** Where the copies lie until they are encrypted: beside the database, which is as secret. */
export const stagingFolder = (settings: Settings, half: Half): string =>
  join(dirname(half === 'portal' ? settings.portalDatabase : settings.serviceDatabase), 'backup-unfinished')

/** Throws ScheduledBackupError; then nothing is left of it, neither here nor in the folder. */
export async function makeBackup({ settings, backup, half, now, maxMs = usualMaxMs }: MakeOptions): Promise<Made> {
  const staging = stagingFolder(settings, half)
  const stop = AbortSignal.timeout(maxMs)
  const { target, recipient } = backup
  try {
    await attempt('copy', () => makeStaging(staging, now))
    if ('folder' in target) await clearUnfinished(target.folder, half)
    const files = await attempt('copy', () => copyHalf(settings, { half, staging, now, stop }))
    const name = await findFreeName(half, now, backup)
    const encrypted = 'folder' in target ? join(target.folder, unfinishedName(name)) : join(staging, name)
    const bytes = await encryptInto(encrypted, startEncryption(recipient, staging), writeTar(files, now), stop)
    for (const { content } of files) if (Buffer.isBuffer(content)) content.fill(0)
    if (!('folder' in target)) {
      if ('bucket' in target) await storeInBucket(target.bucket, { name, file: encrypted, bytes, stop })
      else await store(target.command, [name, String(bytes)], encrypted, stop)
      return { name, bytes, expired: 0 }
    }
    await attempt('folder', () => settle(encrypted, join(target.folder, name)))
    return { name, bytes, expired: await deleteExpired(target.folder, { half, made: name, keep: backup.keep, now }) }
  } finally {
    await rm(staging, { recursive: true, force: true })
    if ('folder' in target) await clearUnfinished(target.folder, half).catch(() => undefined)
  }
}

/** Names the time of the attempt, so that one that was killed with its process is known afterwards. It is in no archive. */
const startedName = 'started'

/** When the attempt began whose process was killed; null if there is none. */
export async function readKilledStart(settings: Settings, half: Half): Promise<Date | null> {
  const text = await readFile(join(stagingFolder(settings, half), startedName), 'utf8').catch(() => '')
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? null : at
}

/** Removes what a killed run left. */
export const clearStaging = (settings: Settings, half: Half): Promise<void> =>
  rm(stagingFolder(settings, half), { recursive: true, force: true })

async function clearUnfinished(folder: string, half: Half): Promise<void> {
  const names = await attempt('folder', () => readdir(folder))
  for (const name of names.filter((each) => isUnfinished(each, half)))
    await attempt('folder', () => rm(join(folder, name), { force: true }))
}

async function makeStaging(staging: string, now: Date): Promise<void> {
  await rm(staging, { recursive: true, force: true })
  await mkdir(staging, { recursive: true, mode: 0o700 })
  await chmod(staging, 0o700)
  await writeFile(join(staging, startedName), now.toISOString(), { mode: 0o600 })
}

/** The heads before the database, so that none refers to an entry that the copy lacks. Keys are only held in memory. */
async function copyHalf(
  settings: Settings,
  { half, staging, now, stop }: { half: Half; staging: string; now: Date; stop: AbortSignal },
): Promise<TarFile[]> {
  const layout = backupLayout(settings)
  const own = (files: readonly BackupFile[]) => files.filter(({ name, place }) => name.startsWith(`${half}`) && existsSync(place))
  const heads: TarFile[] = []
  for (const { name, place } of own(layout.heads)) heads.push(contentFile('databases', name, await readFile(place)))
  const databases: TarFile[] = []
  const listed: ListedFile[] = heads.map(({ name, content }) => describeContent(baseOf(name), content as Buffer))
  for (const { name, place } of await findMade(layout.databases.filter((database) => database.half === half))) {
    const copy = join(staging, name)
    await copyPlaceInBackground(place, copy, stop)
    databases.push({ name: `databases/${name}`, bytes: (await stat(copy)).size, content: () => createReadStream(copy) })
    listed.push(await describeFile(name, copy))
  }
  const keys: TarFile[] = []
  for (const { name, place } of own(layout.keys)) keys.push(contentFile('keys', name, await readFile(place)))
  const keyContents = new Map(keys.map(({ name, content }) => [baseOf(name), content as Buffer]))
  const keyList = [...keyContents].map(([name, content]) => describeContent(name, content))
  const needed = await findNeededKeys(
    staging,
    databases.map(({ name }) => baseOf(name)),
  )
  return [
    ...heads,
    ...databases,
    contentFile('databases', manifestName, Buffer.from(renderManifest(listed, now, needed))),
    ...keys,
    contentFile('keys', manifestName, Buffer.from(renderManifest(keyList, now, findHeldIn(keyContents)))),
  ]
}

const contentFile = (folder: 'databases' | 'keys', name: string, content: Buffer): TarFile => ({
  name: `${folder}/${name}`,
  bytes: content.length,
  content,
})

const baseOf = (name: string): string => name.slice(name.indexOf('/') + 1)

/** A name that is taken, because the clock was set back, is never written over. */
async function findFreeName(half: Half, now: Date, { target, recipient }: BackupSettings): Promise<string> {
  for (let at = now; ; at = new Date(at.getTime() + 1000)) {
    const name = formatArchiveName(half, at, recipient.program)
    if (!('folder' in target) || !existsSync(join(target.folder, name))) return name
  }
}

/** Resolves with the length of the file, which is on disk then. */
async function encryptInto(file: string, program: Program, tar: AsyncIterable<Buffer>, stop: AbortSignal): Promise<number> {
  const fill = pipeline(Readable.from(tar), createGzip(), program.stdin, { signal: stop })
  // 'wx': what is there already is somebody else's.
  const drain = pipeline(program.stdout, createWriteStream(file, { mode: 0o600, flags: 'wx' }), { signal: stop })
  const [filled, drained] = await Promise.allSettled([fill, drain.catch(endWith(program))])
  if (stop.aborted) program.kill()
  const { failed } = await program.ended
  if (stop.aborted) throw new ScheduledBackupError('too_long', 'Encrypting took too long.')
  if (drained.status === 'rejected' && isOfFile(drained.reason)) throw failureOf('folder', drained.reason)
  if (failed !== null) throw new ScheduledBackupError('encryption', failed)
  for (const each of [drained, filled]) if (each.status === 'rejected') throw failureOf('copy', each.reason)
  const handle = await open(file)
  try {
    await attempt('folder', () => handle.sync())
    return (await handle.stat()).size
  } finally {
    await handle.close()
  }
}

const endWith =
  (program: Program) =>
  (error: unknown): never => {
    program.kill()
    throw error
  }

/** Gives the archive its name, unless that is taken, and writes the folder to disk. */
async function settle(unfinished: string, file: string): Promise<void> {
  try {
    await link(unfinished, file)
    await rm(unfinished)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error
    // Not every file system has hard links.
    await rename(unfinished, file)
  }
  const folder = await open(dirname(file))
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Gives the whole archive to the command. It gets its length too, because after a crash of Gatehouse standard input just ends. */
async function store(command: string, args: readonly string[], file: string, stop: AbortSignal): Promise<void> {
  const program = startProgram(command, args)
  program.stdout.resume()
  stop.addEventListener('abort', program.kill)
  createReadStream(file).on('error', program.kill).pipe(program.stdin)
  const { failed } = await program.ended
  stop.removeEventListener('abort', program.kill)
  if (stop.aborted) throw new ScheduledBackupError('too_long', 'Storing took too long.')
  if (failed !== null) throw new ScheduledBackupError('command', failed)
}

/** An archive that cannot be deleted stays until the next time: the new one is there. Returns how many were deleted. */
async function deleteExpired(folder: string, what: Parameters<typeof findExpired>[1]): Promise<number> {
  const expired = findExpired(await readdir(folder), what)
  const gone = await Promise.allSettled(expired.map((name) => rm(join(folder, name))))
  return gone.filter(({ status }) => status === 'fulfilled').length
}

/** Rather than of the program's output, which breaks off when the program fails. */
const isOfFile = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && (error.syscall === 'open' || error.syscall === 'write')

async function attempt<T>(reason: FailureReason, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw failureOf(reason, error)
  }
}

function failureOf(reason: FailureReason, cause: unknown): ScheduledBackupError {
  if (cause instanceof ScheduledBackupError) return cause
  return new ScheduledBackupError(isFull(cause) ? 'disk_full' : reason, cause instanceof Error ? cause.message : String(cause), { cause })
}

const isFull = (error: unknown): boolean =>
  error instanceof SqliteError
    ? (error.code & 0xff) === sqliteCode.full
    : error instanceof Error &&
      (('code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')) || error.message.endsWith('No space left on device'))
