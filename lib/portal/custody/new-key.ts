/** The first step of a rotation: puts a new key into the key file and keeps the previous one next to it. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import { KeyFileError } from '@/lib/sealing/key-file'
import { prepareKeyFile } from '@/lib/sealing/key-files'
import { getSettings } from '@/lib/settings/settings'

/**
 * The id of the key to rotate to: the one left by an interrupted rotation, else a new one. After each step a start finds both keys.
 * Throws KeyFileError if the key comes from the environment or an older key still exists.
 */
export async function prepareNextKey(): Promise<string> {
  const { kekFromEnvironment, portalKekFile, portalOldKekFile } = getSettings()
  if (kekFromEnvironment !== null) {
    throw new KeyFileError(
      `GATEHOUSE_KEK holds one key, but a rotation needs two. Put it into ${portalKekFile} (mode 0400), unset GATEHOUSE_KEK, and rotate then.`,
    )
  }
  return await db().$transaction(async (transaction) => {
    // A write that changes nothing takes the database's lock until the end, so that a second rotation, even in another process,
    // waits here. If the process is killed, the lock is released.
    await transaction.keyEncryptionKey.updateMany({ where: { state: 'active' }, data: { wraps: { increment: 0 } } })
    const rows = await transaction.keyEncryptionKey.findMany({ where: { state: { not: 'pending' } } })
    return prepareKeyFile({ current: portalKekFile, old: portalOldKekFile, rows })
  })
}
