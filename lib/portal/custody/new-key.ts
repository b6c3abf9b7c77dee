/** The first step of a rotation: puts a new key into the key file and keeps the previous one next to it. */
import 'server-only'
import { closeSync, constants, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { db } from '@/lib/portal/base/db'
import { createKek } from '@/lib/sealing/kek'
import { createKeyFile, KeyFileError, readKeyFile } from '@/lib/sealing/key-file'
import { getSettings, type Settings } from '@/lib/settings/settings'
import type { KeyEncryptionKey } from '@/prisma/generated/portal/client'
import { findProvider } from './provider'

/**
 * The id of the key to rotate to: the one left by an interrupted rotation, else a new one. After each step a start finds both keys.
 * Throws KeyFileError if the key comes from the environment or an older key still exists.
 */
export async function prepareNextKey(): Promise<string> {
  const settings = getSettings()
  if (settings.kekFromEnvironment !== null) {
    throw new KeyFileError(
      `GATEHOUSE_KEK holds one key, but a rotation needs two. Put it into ${settings.portalKekFile} (mode 0400), unset GATEHOUSE_KEK, and rotate then.`,
    )
  }
  return await db().$transaction(async (transaction) => {
    // A write that changes nothing takes the database's lock until the end, so that a second rotation, even in another process,
    // waits here. If the process is killed, the lock is released.
    await transaction.keyEncryptionKey.updateMany({ where: { state: 'active' }, data: { wraps: { increment: 0 } } })
    const ring = await transaction.keyEncryptionKey.findMany({ where: { state: { not: 'pending' } } })
    return chooseKey(settings, ring)
  })
}

/** Call only while holding the lock: a new key file found then was left by a killed rotation and never used. */
function chooseKey(settings: Settings, ring: readonly KeyEncryptionKey[]): string {
  const { portalKekFile, portalOldKekFile } = settings
  rmSync(`${portalKekFile}.new`, { force: true })
  const active = ring.find(({ state }) => state === 'active')
  if (active && ring.some(({ state }) => state === 'decryptOnly')) return active.id
  const [current] = findProvider(settings).load()
  return active?.id === current.id ? replaceKeyFile(portalKekFile, portalOldKekFile, active.id) : current.id
}

/** Copies the old key to its second name before replacing the first, so that neither is ever missing. */
function replaceKeyFile(current: string, old: string, activeId: string): string {
  if (existsSync(old) && idOf(old) !== activeId) {
    throw new KeyFileError(`${old} holds the previous key, which is retired. Move it away first: only old backups need it.`)
  }
  const fresh = `${current}.new`
  const { id } = createKek(createKeyFile(fresh))
  if (!existsSync(old)) linkSync(current, old)
  renameSync(fresh, current)
  keepNames(dirname(current))
  return id
}

/** Syncs the folder, because the database must not name a key file that a power cut can still lose. */
function keepNames(folder: string): void {
  const handle = openSync(folder, constants.O_RDONLY)
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

const idOf = (file: string): string => createKek(readKeyFile(file)).id
