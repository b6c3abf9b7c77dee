/** `gatehouse keys verify [MARK] | rotate | retire`: verifies, rotates and retires the master key. */
import 'server-only'
import { WrongUse } from '@/lib/commands.mjs'
import { requireDatabase, runCommand } from './operator-command'

async function run([command, mark, ...rest]: string[]): Promise<string> {
  const known = command === 'verify' || ((command === 'rotate' || command === 'retire') && mark === undefined)
  if (!known || rest.length > 0) throw new WrongUse('keys')
  await requireDatabase()
  // Loaded here because these modules read the settings on import, and an error in the settings must be reported in one line.
  const [{ openRing }, acts] = await Promise.all([import('@/lib/portal/custody/ring'), import('./key-acts')])
  await openRing()
  return acts[command](mark)
}

await runCommand(run, 'The key command failed')
