/** `gatehouse users`: accounts, for a person in a shell on the portal's server. */
import 'server-only'
import { WrongUse } from '@/lib/commands.mjs'
import type { ListedAccount } from '@/lib/portal/subjects/team/operator'
import { Refusal, requireDatabase, runCommand } from './operator-command'

const changes = ['disable', 'enable', 'remove-second-factor'] as const

async function run([command, email, ...rest]: string[]): Promise<string> {
  const change = changes.find((each) => each === command)
  const json = command === 'list' && email === '--json'
  const known = command === 'list' ? email === undefined || json : change !== undefined && email !== undefined
  if (!known || rest.length > 0) throw new WrongUse('users')
  requireDatabase()
  // Modules are loaded here because they read the settings on import, and an error in the settings must be reported in one line.
  const [{ openRing }, { listAccounts, removeSecondFactor, switchAccount }] = await Promise.all([
    import('@/lib/portal/custody/ring'),
    import('@/lib/portal/subjects/team/operator'),
  ])
  if (email === undefined || json) return formatAccounts(await listAccounts(), json)
  await openRing()
  const result = await (change === 'remove-second-factor' ? removeSecondFactor(email) : switchAccount(email, change === 'disable'))
  if ('refusal' in result) throw new Refusal(result.refusal)
  return `${result.done}\n`
}

/** One line per account: address, role, state; or as JSON. */
const formatAccounts = (accounts: readonly ListedAccount[], json: boolean): string =>
  json ? `${JSON.stringify(accounts)}\n` : accounts.map(({ email, role, state }) => `${email}\t${role ?? '-'}\t${state}\n`).join('')

await runCommand(run, 'The accounts could not be read or changed')
