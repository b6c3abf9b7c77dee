/** Prepares what must be in the database before the portal listens: team, bundled connection, set-up link. */
import 'server-only'
import { randomBytes } from 'node:crypto'
import { db } from '@/lib/portal/base/db'
import { rebindConnections } from '@/lib/portal/custody/rebinding'
import { createSetupLink, ownerExists } from '@/lib/portal/identity/setup-link'
import { ensureBundledConnection } from '@/lib/portal/subjects/connections/bundled'
import { noteConnections } from '@/lib/portal/subjects/connections/start-notes'
import { getSettings } from '@/lib/settings/settings'
import { askForKey, tell } from './launcher-channel'

async function ensureTeam(): Promise<string> {
  const present = await db().team.findFirst({ orderBy: { createdAt: 'asc' } })
  if (present) return present.id
  const team = await db().team.create({ data: { id: randomBytes(16).toString('base64url'), name: 'Gatehouse' } })
  return team.id
}

/** Needs the opened key ring. Tells the launcher what to print; `--without-link` makes no set-up link. */
export async function prepare(): Promise<void> {
  await rebindConnections()
  const teamId = await ensureTeam()
  if (!getSettings().upstreamUrl) await ensureBundledConnection(teamId, askForKey)
  const setupLink = process.argv.includes('--without-link') ? null : await createSetupLink()
  const owned = await ownerExists()
  // Before there is an owner, the set-up page asks for whatever is missing.
  await tell({ kind: 'prepared', setupLink, ownerExists: owned, notes: owned ? await noteConnections() : [] })
}
