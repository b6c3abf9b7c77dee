/** What has to be on the disk before the portal's process opens its database: key files, and this version's tables. */
import 'server-only'
import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { ClaimError, describeClaim, findClaimant } from '@/lib/database/claim'
import { DatabaseError } from '@/lib/database/database-error'
import { isPortalUsed } from '@/lib/database/is-made'
import { type DatabasePlace, portalPlace } from '@/lib/database/place'
import { preparePlace } from '@/lib/database/prepare-place'
import { log } from '@/lib/log'
import { createKeyFile } from '@/lib/sealing/key-file'
import { getSettings } from '@/lib/settings/settings'
import { refuseStart } from './launcher-channel'

/** Creates key files only if the database does not exist yet: an existing database needs its own keys. */
async function createMissingKeys(place: DatabasePlace): Promise<void> {
  if (await isPortalUsed(place)) return
  const settings = getSettings()
  if (!settings.kekFromEnvironment && !existsSync(settings.portalKekFile)) createKeyFile(settings.portalKekFile)
  if (!existsSync(settings.sessionSecretFile)) createKeyFile(settings.sessionSecretFile)
}

function requireUnclaimed(file: string): void {
  const claimant = findClaimant(file)
  if (claimant !== null) throw new ClaimError(describeClaim(file, claimant))
}

async function prepareThem(): Promise<void> {
  const settings = getSettings()
  const place = portalPlace(settings)
  if (typeof place === 'string') requireUnclaimed(place)
  // Also with PostgreSQL: the signed heads of the audit log are there.
  mkdirSync(dirname(settings.portalAuditHeads), { recursive: true, mode: 0o700 })
  await createMissingKeys(place)
  const { applied } = await preparePlace(place, 'portal')
  if (applied.length > 0) log.info({ applied }, 'migrations applied')
}

/** Prepares them, or tells the launcher why the portal may not start and ends the process. */
export async function prepareFiles(): Promise<void> {
  try {
    await prepareThem()
  } catch (error) {
    await refuseStart(error, error instanceof DatabaseError)
  }
}
