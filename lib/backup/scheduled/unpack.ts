/** Decrypts and unpacks a scheduled archive into the two folders of a backup. */
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { finished } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { Settings } from '@/lib/settings/settings'
import { BackupError, backupLayout, databaseNames } from '../layout'
import { manifestName } from '../manifest'
import { type ArchiveName, parseArchiveName } from './archive-name'
import { startDecryption } from './encrypt'
import { readTar, type TarSink } from './tar'

/** The name says which half it is of and what encrypted it. Throws BackupError for another name. */
export function requireArchiveName(file: string): ArchiveName {
  const parsed = parseArchiveName(basename(file))
  if (parsed === null)
    throw new BackupError(`${file} does not have the name of a scheduled backup, such as gatehouse-portal-2026-11-27T03-00-05Z.tar.gz.age.`)
  return parsed
}

/** into: an existing empty folder of mode 0700. Returns its folders with the databases and with the keys. Throws BackupError. */
export async function unpackArchive(
  file: string,
  { identity, into, settings }: { identity: string; into: string; settings: Settings },
): Promise<{ databases: string; keys: string }> {
  const { program } = requireArchiveName(file)
  const [databases, keys] = [join(into, 'databases'), join(into, 'keys')]
  for (const folder of [databases, keys]) await mkdir(folder, { mode: 0o700 })
  const decryption = await startDecryption(file, { program, identity, scratch: into })
  // A program that fails ends its output early: why it failed says more than that the archive is cut off.
  const plain = decryption.stream.pipe(createGunzip())
  const read = await readTar(plain, openerOf(into, settings)).then(
    () => null,
    (error: unknown) => error,
  )
  decryption.stream.resume()
  await decryption.finish()
  if (read instanceof BackupError) throw read
  if (read !== null) throw new BackupError('The archive is damaged or cut off.', { cause: read })
  return { databases, keys }
}

/** Only names of a backup: anybody can encrypt to a public key. */
function openerOf(into: string, settings: Settings): (name: string) => Promise<TarSink> {
  const { heads, keys } = backupLayout(settings)
  const allowed = new Set([
    ...[...heads.map(({ name }) => name), ...databaseNames].map((name) => `databases/${name}`),
    ...keys.map(({ name }) => `keys/${name}`),
    `databases/${manifestName}`,
    `keys/${manifestName}`,
  ])
  return async (name) => {
    if (!allowed.delete(name)) throw new BackupError('The archive contains files that are not of a backup.')
    const stream = createWriteStream(join(into, name), { mode: 0o600, flags: 'wx' })
    return {
      write: (chunk) => new Promise((resolve, reject) => stream.write(chunk, (error) => (error ? reject(error) : resolve()))),
      end: async () => {
        stream.end()
        await finished(stream)
      },
    }
  }
}
