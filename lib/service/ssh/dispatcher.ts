/** The two constant bash programs that run scripts on a machine, and the command that starts them. */
import { readFileSync } from 'node:fs'

const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')

/** Answers request after request until its input ends. */
export const keptDispatcher = read('./take-request.bash') + read('./kept-dispatcher.bash')

/** Runs one request, its output going straight to the channel. */
export const streamDispatcher = read('./take-request.bash') + read('./stream-dispatcher.bash')

/**
 * The remote command: a bash that knows nothing of the user's environment or profile and reads one of the programs from
 * standard input. Its words are constant and free of quotes, so that any login shell understands them,
 * and its programs are named by their place: the user's PATH has no say.
 */
export function dispatcherCommand(as: 'itself' | 'root by sudo'): string {
  const bash = `/usr/bin/env -i PATH=${path} LC_ALL=C HOME=/root /bin/bash --noprofile --norc -s`
  return as === 'root by sudo' ? `exec /usr/bin/sudo -n ${bash}` : `exec ${bash}`
}
