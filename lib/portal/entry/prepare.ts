/** Prepares everything that must exist before the portal listens: database, key ring, team, bundled connection, set-up link. */
import 'server-only'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { ClaimError, describeClaim, findClaimant } from '@/lib/database/claim'
import { DatabaseError, prepareDatabase } from '@/lib/database/prepare'
import { log } from '@/lib/log'
import { closeDatabase, db } from '@/lib/portal/base/db'
import { rebindConnections } from '@/lib/portal/custody/rebinding'
import { openRing } from '@/lib/portal/custody/ring'
import { createSetupLink, ownerExists } from '@/lib/portal/identity/setup-link'
import { ensureBundledConnection } from '@/lib/portal/subjects/connections/bundled'
import { noteConnections } from '@/lib/portal/subjects/connections/start-notes'
import { createKeyFile, KeyFileError } from '@/lib/sealing/key-file'
import { getSettings, SettingsError } from '@/lib/settings/settings'

/**
 * Sent to the launcher over the IPC channel. The launcher sends the API key back as { key }. The set-up link is created only on request.
 * `notes` are sentences about the connections. isConfiguration: only the server administrator can mend it.
 */
export type PrepareMessage =
  | { kind: 'key-wanted' }
  | { kind: 'ready'; setupLink: string | null; ownerExists: boolean; notes: string[] }
  | { kind: 'refused'; sentence: string; isConfiguration: boolean }

const tell = (message: PrepareMessage) => process.send?.(message)

/** Creates key files only if the database does not exist yet: an existing database needs its own keys. */
function createMissingKeys(): void {
  const settings = getSettings()
  if (existsSync(settings.portalDatabase)) return
  if (!settings.kekFromEnvironment && !existsSync(settings.portalKekFile)) createKeyFile(settings.portalKekFile)
  if (!existsSync(settings.sessionSecretFile)) createKeyFile(settings.sessionSecretFile)
}

async function ensureTeam(): Promise<string> {
  const present = await db().team.findFirst({ orderBy: { createdAt: 'asc' } })
  if (present) return present.id
  const team = await db().team.create({ data: { id: randomBytes(16).toString('base64url'), name: 'Gatehouse' } })
  return team.id
}

function askForKey(): Promise<string> {
  return new Promise((resolve) => {
    process.once('message', (message: { key: string }) => resolve(message.key))
    tell({ kind: 'key-wanted' })
  })
}

async function prepare(): Promise<void> {
  const settings = getSettings()
  const claimant = findClaimant(settings.portalDatabase)
  if (claimant !== null) throw new ClaimError(describeClaim(settings.portalDatabase, claimant))
  createMissingKeys()
  const { applied } = await prepareDatabase({ file: settings.portalDatabase, schema: 'portal' })
  if (applied.length > 0) log.info({ applied }, 'migrations applied')
  await openRing()
  await rebindConnections()
  const teamId = await ensureTeam()
  if (!settings.upstreamUrl) await ensureBundledConnection(teamId, askForKey)
  const setupLink = process.argv.includes('--without-link') ? null : await createSetupLink()
  const owned = await ownerExists()
  // Before there is an owner, the set-up page asks for whatever is missing.
  tell({ kind: 'ready', setupLink, ownerExists: owned, notes: owned ? await noteConnections() : [] })
}

const expected = [SettingsError, DatabaseError, ClaimError, KeyFileError]

try {
  await prepare().finally(closeDatabase)
  process.disconnect?.()
} catch (error) {
  const sentence = error instanceof Error ? error.message : String(error)
  const known = expected.some((kind) => error instanceof kind)
  tell({ kind: 'refused', sentence: known ? sentence : `The portal could not be prepared: ${sentence}`, isConfiguration: known })
  if (!process.send) process.stderr.write(`${sentence}\n`)
  process.disconnect?.()
  process.exitCode = 1
}
