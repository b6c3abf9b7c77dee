/** The two constant bash scripts that run other scripts on a server, and the command that starts them. */
import { joinBash } from '@/lib/service/bash'

const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

const read = (name: string) => joinBash(new URL('./', import.meta.url), [name])

/** Answers requests one after another until its input ends. */
export const keptDispatcher = read('kept-dispatcher.bash')

/** Runs one request and streams its output. */
export const streamDispatcher = read('stream-dispatcher.bash')

/**
 * The remote command: a bash that ignores the user's environment and profile and reads one of the scripts from standard input. Its words
 * are constant and free of quotes, so that any login shell understands them, and its programs have absolute paths, so that the user's
 * PATH does not matter.
 */
export function dispatcherCommand(as: 'itself' | 'root by sudo'): string {
  const bash = `/usr/bin/env -i PATH=${path} LC_ALL=C HOME=/root /bin/bash --noprofile --norc -s`
  return as === 'root by sudo' ? `exec /usr/bin/sudo -n ${bash}` : `exec ${bash}`
}
