/** `gatehouse setup FILE [--json]`: the first set-up without a browser. */
import 'server-only'
import { WrongUse } from '@/lib/commands.mjs'
import type { Problem } from '@/lib/contract/problem'
import { Refusal, requireDatabase, runCommand } from './operator-command'
import type { SetUp } from './set-up-from-file'

async function run(args: string[]): Promise<string> {
  const files = args.filter((arg) => arg !== '--json')
  const [file] = files
  const isFile = file !== undefined && (file === '-' || !file.startsWith('-'))
  if (!isFile || files.length > 1 || args.length > 2) throw new WrongUse('setup')
  await requireDatabase()
  // Modules are loaded here because they read the settings on import, and an error in the settings must be reported in one line.
  const [{ openRing }, { readSetupFile, SetupFileError }, { setUpFromFile }] = await Promise.all([
    import('@/lib/portal/custody/ring'),
    import('./setup-file'),
    import('./set-up-from-file'),
  ])
  await openRing()
  try {
    const done = await setUpFromFile(readSetupFile(file))
    if (!done.ok) throw new Refusal(formatProblem(done.problem))
    return args.length > 1 ? `${JSON.stringify(done.data)}\n` : format(done.data)
  } catch (error) {
    throw error instanceof SetupFileError ? new Refusal(error.message) : error
  }
}

const formatProblem = ({ sentence, fields = {} }: Problem): string =>
  Object.entries(fields)
    .map(([field, why]) => `${field}: ${why}`)
    .join('\n') || sentence

function format({ owner, invitations, connection }: SetUp): string {
  const lines = [
    owner.link === null
      ? `${owner.email} is the owner and signs in with the password of the hash.`
      : `${owner.email} is the owner. This link sets the password (it works once, for an hour):\n${owner.link}`,
    ...invitations.map(({ email, link }) => `${email} is invited. Pass the link on (it works once, for a day):\n${link}`),
    ...(connection ? [`“${connection.label}” is connected. Its key lists ${connection.servers} servers.`] : []),
  ]
  return `${lines.join('\n')}\n`
}

await runCommand(run, 'The set-up failed')
