/** What has to be on the disk before the portal's process opens its database: key files, and this version's tables. */
import 'server-only'
import { existsSync } from 'node:fs'
import { ClaimError, describeClaim, findClaimant } from '@/lib/database/claim'
import { DatabaseError, prepareDatabase } from '@/lib/database/prepare'
import { log } from '@/lib/log'
import { createKeyFile } from '@/lib/sealing/key-file'
import { getSettings } from '@/lib/settings/settings'
import { refuseStart } from './launcher-channel'

/** Creates key files only if the database does not exist yet: an existing database needs its own keys. */
function createMissingKeys(): void {
  const settings = getSettings()
  if (existsSync(settings.portalDatabase)) return
  if (!settings.kekFromEnvironment && !existsSync(settings.portalKekFile)) createKeyFile(settings.portalKekFile)
  if (!existsSync(settings.sessionSecretFile)) createKeyFile(settings.sessionSecretFile)
}

async function prepareThem(): Promise<void> {
  const { portalDatabase } = getSettings()
  const claimant = findClaimant(portalDatabase)
  if (claimant !== null) throw new ClaimError(describeClaim(portalDatabase, claimant))
  createMissingKeys()
  const { applied } = await prepareDatabase({ file: portalDatabase, schema: 'portal' })
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
