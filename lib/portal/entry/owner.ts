/** `gatehouse owner recover EMAIL | setup`: one-time links for a locked-out user or the first owner, printed on the server itself. */
import 'server-only'
import { WrongUse } from '@/lib/commands.mjs'
import { Refusal, requireDatabase, runCommand } from './operator-command'

async function run([command, email, ...rest]: string[]): Promise<string> {
  const known = command === 'recover' ? email !== undefined : command === 'setup' && email === undefined
  if (!known || rest.length > 0) throw new WrongUse('owner')
  await requireDatabase()
  return email === undefined ? printSetupLink() : printRecoveryLink(email)
}

// Modules are loaded here because they read the settings on import, and an error in the settings must be reported in one line.
async function printRecoveryLink(email: string): Promise<string> {
  const [{ openRing }, { createRecoveryLink }] = await Promise.all([
    import('@/lib/portal/custody/ring'),
    import('@/lib/portal/identity/recovery'),
  ])
  await openRing()
  const link = await createRecoveryLink(email)
  if (link === null) throw new Refusal('No active user has this email address.')
  return `Set a new password within one hour (the link works once):\n${link}\n`
}

async function printSetupLink(): Promise<string> {
  const { createSetupLink } = await import('@/lib/portal/identity/setup-link')
  const link = await createSetupLink()
  if (link === null) throw new Refusal('An owner already exists. Locked out? ./gatehouse owner recover EMAIL')
  return `Create the owner account (the link works once, for a day):\n${link}\n`
}

await runCommand(run, 'The link could not be created')
