/** `gatehouse users`: accounts, for a person in a shell on the portal's server. */
import 'server-only'
import { parseArgs } from 'node:util'
import { WrongUse } from '@/lib/commands.mjs'
import type { ListedAccount } from '@/lib/portal/subjects/team/operator'
import { Refusal, requireDatabase, runCommand } from './operator-command'

const changes = ['disable', 'enable', 'remove-second-factor'] as const

async function run(args: string[]): Promise<string> {
  const [command, email, ...rest] = args
  if (command === 'add' || command === 'invite') return bringIn(command, args)
  const change = changes.find((each) => each === command)
  const json = command === 'list' && email === '--json'
  const known = command === 'list' ? email === undefined || json : change !== undefined && email !== undefined
  if (!known || rest.length > 0) throw new WrongUse('users')
  await requireDatabase()
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

async function bringIn(command: 'add' | 'invite', args: string[]): Promise<string> {
  const { positionals, values } = readNewMember(args)
  const [, email, ...rest] = positionals
  const { role, name, until, 'no-access': noAccess, json } = values
  if (email === undefined || rest.length > 0 || role === undefined || (name === undefined) !== (command === 'invite'))
    throw new WrongUse('users')
  await requireDatabase()
  const [{ openRing }, { addAccount, inviteAddress }] = await Promise.all([
    import('@/lib/portal/custody/ring'),
    import('@/lib/portal/subjects/team/operator-add'),
  ])
  await openRing()
  const given = { email, role, until, access: !noAccess }
  const result = await (name === undefined ? inviteAddress(given) : addAccount({ ...given, name }))
  if ('refusal' in result) throw new Refusal(result.refusal)
  if (json) return `${JSON.stringify({ email: result.email, link: result.link })}\n`
  return name === undefined
    ? `${result.email} is invited. Pass the link on (it works once, for a day):\n${result.link}\n`
    : `${result.email} is a member. Pass on the link to set a password (it works once, for an hour):\n${result.link}\n`
}

function readNewMember(args: string[]) {
  try {
    const text = { type: 'string' } as const
    const flag = { type: 'boolean', default: false } as const
    const options = { role: text, name: text, until: { ...text, default: '' }, 'no-access': flag, json: flag } as const
    return parseArgs({ args, options, allowPositionals: true })
  } catch {
    throw new WrongUse('users')
  }
}

/** One line per account: address, role, state; or as JSON. */
const formatAccounts = (accounts: readonly ListedAccount[], json: boolean): string =>
  json ? `${JSON.stringify(accounts)}\n` : accounts.map(({ email, role, state }) => `${email}\t${role ?? '-'}\t${state}\n`).join('')

await runCommand(run, 'The accounts could not be read or changed')
