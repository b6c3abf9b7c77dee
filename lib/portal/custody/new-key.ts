/** Where a rotation begins: a fresh key in the place of the key file, and the one before beside it. */
import 'server-only'
import { existsSync, linkSync, renameSync, rmSync } from 'node:fs'
import { createKek } from '@/lib/sealing/kek'
import { createKeyFile, KeyFileError, readKeyFile } from '@/lib/sealing/key-file'
import { getSettings } from '@/lib/settings/settings'
import { db } from '../db'
import { findProvider } from './provider'

/**
 * The id of the key to rotate to: the one a rotation broken off has left, else a new one. Each step leaves both keys
 * where a start finds them. Throws KeyFileError when the environment holds the key, or an old one is still in the way.
 */
export async function prepareNextKey(): Promise<string> {
  const settings = getSettings()
  const { portalKekFile, portalOldKekFile } = settings
  if (settings.kekFromEnvironment !== null) {
    throw new KeyFileError(
      `GATEHOUSE_KEK holds one key, and a rotation needs two. Put it into ${portalKekFile} (mode 0400), unset GATEHOUSE_KEK, and rotate then.`,
    )
  }
  const ring = await db().keyRing.findMany({ where: { state: { not: 'pending' } } })
  const active = ring.find(({ state }) => state === 'active')
  if (active && ring.some(({ state }) => state === 'decrypt-only')) return active.id
  const [current] = findProvider(settings).load()
  return active?.id === current.id ? replaceKeyFile(portalKekFile, portalOldKekFile, active.id) : current.id
}

/**
 * The old key has its second name before the first one changes hands, so that neither is ever missing. The fresh file is
 * also the lock: who has made it looks again at what it is about to replace, or of two at once one would lose its key.
 */
function replaceKeyFile(current: string, old: string, activeId: string): string {
  const fresh = `${current}.new`
  if (existsSync(fresh)) throw new KeyFileError(`${fresh} exists: another rotation is on its way. If none is, take that file away.`)
  const { id } = createKek(createKeyFile(fresh))
  try {
    if (idOf(current) !== activeId) throw new KeyFileError('Another rotation is on its way. This one did nothing.')
    if (!existsSync(old)) linkSync(current, old)
    else if (idOf(old) !== activeId) {
      throw new KeyFileError(`${old} holds the key before this one, which is retired. Take it away first: only old backups need it.`)
    }
    renameSync(fresh, current)
    return id
  } catch (error) {
    rmSync(fresh, { force: true })
    throw error
  }
}

const idOf = (file: string): string => createKek(readKeyFile(file)).id
