/** Tests the maintenance key of an SFTP server from the service's machine: writes, reads, lists and deletes a small file, as deleting copies will. */
import { randomBytes } from 'node:crypto'
import type { MaintenanceCheck, SftpTarget } from '../machines/copy-target'
import type { Sftp } from '../ssh/connect'
import { ResticFailed, type ResticFailure } from './failure'
import { type Resolve, resolveName } from './resolve'
import { openSession } from './session'

/** Somebody waits for it. */
const maxMs = 30_000

/** Of a repository with one small snapshot, which has about 270. A target could list without end. */
const maxEntries = 2000

const byFailure: Partial<Record<ResticFailure, MaintenanceCheck>> = {
  refused_key: 'key',
  host_key: 'host-key',
  no_sftp: 'no-sftp',
  unreachable: 'unreachable',
  address: 'address',
}

/** Of SFTP. */
const byStatus: Readonly<Record<number, MaintenanceCheck>> = { 2: 'missing', 3: 'denied' }
const atEnd = 1

/** leftover: the folder of a repository that a test made with a key which may not delete it; it is deleted. */
export async function checkMaintenance(
  target: SftpTarget,
  leftover: string | null,
  resolve: Resolve = resolveName,
): Promise<MaintenanceCheck> {
  try {
    const session = await openSession(target, resolve)
    const late = new Promise<MaintenanceCheck>((resolved) => setTimeout(resolved, maxMs, 'silent').unref())
    const tried = session.sftp().then((sftp) => tryOut(sftp, target.folder, leftover))
    return await Promise.race([tried, late]).finally(() => session[Symbol.asyncDispose]())
  } catch (error) {
    if (error instanceof ResticFailed) return byFailure[error.why] ?? 'unknown'
    throw error
  }
}

async function tryOut(sftp: Sftp, folder: string, leftover: string | null): Promise<MaintenanceCheck> {
  const place = `${folder || '.'}/gatehouse-test-${randomBytes(8).toString('hex')}`
  const content = randomBytes(64)
  try {
    await makeFolder(sftp, place)
    await write(sftp, `${place}/object`, content)
    const read = await readStart(sftp, `${place}/object`, content.length)
    const names = (await list(sftp, place)).map(({ name }) => name)
    await removeFile(sftp, `${place}/object`)
    await removeFolder(sftp, place)
    if (leftover !== null) await removeAll(sftp, leftover)
    return read.equals(content) && names.includes('object') ? 'passed' : 'altered'
  } catch (error) {
    return byStatus[(error as { code?: number }).code ?? 0] ?? 'unknown'
  }
}

/** Of a folder and what is in it, without following links. */
async function removeAll(sftp: Sftp, root: string): Promise<void> {
  let left = maxEntries
  const remove = async (folder: string): Promise<void> => {
    for (const { name, isFolder } of await list(sftp, folder)) {
      left -= 1
      if (left < 0) return
      await (isFolder ? remove(`${folder}/${name}`) : removeFile(sftp, `${folder}/${name}`))
    }
    await removeFolder(sftp, folder)
  }
  await remove(root)
}

type Entry = { name: string; isFolder: boolean }

/** A name that is a path, or leads upwards, is none. */
const isName = (name: string): boolean => !name.includes('/') && name !== '.' && name !== '..' && name !== ''

/** At most as many as are looked at: a list by path would be read to an end that may never come. */
async function list(sftp: Sftp, folder: string): Promise<Entry[]> {
  const handle = await new Promise<Buffer>((resolved, reject) => {
    sftp.opendir(folder, (error, opened) => (error ? reject(error) : resolved(opened)))
  })
  const entries: Entry[] = []
  while (entries.length < maxEntries) {
    const some = await listMore(sftp, handle)
    if (some === null) break
    entries.push(...some)
  }
  sftp.close(handle, () => undefined)
  return entries
}

/** Null at the end. */
const listMore = (sftp: Sftp, handle: Buffer): Promise<Entry[] | null> =>
  new Promise((resolved, reject) => {
    sftp.readdir(handle, (error, found) => {
      if (error) return (error as { code?: number }).code === atEnd ? resolved(null) : reject(error)
      resolved(found.map(({ filename, attrs }) => ({ name: filename, isFolder: attrs.isDirectory() })).filter(({ name }) => isName(name)))
    })
  })

const makeFolder = (sftp: Sftp, path: string): Promise<void> =>
  new Promise((resolved, reject) => {
    sftp.mkdir(path, (error) => (error ? reject(error) : resolved()))
  })

const write = (sftp: Sftp, path: string, content: Buffer): Promise<void> =>
  new Promise((resolved, reject) => {
    sftp.writeFile(path, content, (error) => (error ? reject(error) : resolved()))
  })

/** Of a file that may be longer than what was written. */
async function readStart(sftp: Sftp, path: string, length: number): Promise<Buffer> {
  const handle = await new Promise<Buffer>((resolved, reject) => {
    sftp.open(path, 'r', (error, opened) => (error ? reject(error) : resolved(opened)))
  })
  return new Promise((resolved, reject) => {
    const into = Buffer.alloc(length)
    sftp.read(handle, into, 0, length, 0, (error, count) => (error ? reject(error) : resolved(into.subarray(0, count))))
  })
}

const removeFile = (sftp: Sftp, path: string): Promise<void> =>
  new Promise((resolved, reject) => {
    sftp.unlink(path, (error) => (error ? reject(error) : resolved()))
  })

const removeFolder = (sftp: Sftp, path: string): Promise<void> =>
  new Promise((resolved, reject) => {
    sftp.rmdir(path, (error) => (error ? reject(error) : resolved()))
  })
