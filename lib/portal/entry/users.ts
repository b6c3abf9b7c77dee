/** `npm run users`: accounts, for a person in a shell on the portal's server. */
import 'server-only'
import { Refusal, requireDatabase, runCommand } from './operator-command'

const changes = ['disable', 'enable', 'remove-second-factor'] as const
const usage = `Usage: npm run users -- list, or npm run users -- ${changes.join(' | ')} EMAIL`

async function run([command, email, ...rest]: string[]): Promise<string> {
  const change = changes.find((each) => each === command)
  const known = command === 'list' ? email === undefined : change !== undefined && email !== undefined
  if (!known || rest.length > 0) throw new Refusal(usage)
  requireDatabase()
  // Modules are loaded here because they read the settings on import, and an error in the settings must be reported in one line.
  const [{ openRing }, { listAccounts, removeSecondFactor, switchAccount }] = await Promise.all([
    import('@/lib/portal/custody/ring'),
    import('@/lib/portal/subjects/team/operator'),
  ])
  if (email === undefined) return listAccounts()
  await openRing()
  const result = await (change === 'remove-second-factor' ? removeSecondFactor(email) : switchAccount(email, change === 'disable'))
  if ('refusal' in result) throw new Refusal(result.refusal)
  return `${result.done}\n`
}

await runCommand(run, 'The accounts could not be read or changed')
