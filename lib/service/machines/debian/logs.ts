/** The logs of a real server. */

import { isLogName, lastPart, maxLogBytes, noSuchLog, unreadLog } from '@/lib/service/machines/logs'
import { type Logs, MachineFailure } from '@/lib/service/machines/machine'
import type { Connections } from '@/lib/service/ssh/connections'
import type { ExecResult, HostAddress } from '@/lib/service/ssh/host-address'
import { parsePairs } from './facts/pairs'
import { requireDone } from './require-done'
import { readScript } from './script'

const logScript = readScript('facts/log.bash')

/** Exit codes of the script: no such log; refused to read it. */
const noLog = 67
const notRead = 66

/** Throws MachineFailure if the script refused to read the log. */
export function requireRead(result: ExecResult, name: string): ExecResult {
  if (result.code !== notRead) return result
  throw new MachineFailure(unreadLog(name, parsePairs(result.stdout).get('refused') ?? ''))
}

export function createDebianLogs(connections: Connections, host: HostAddress): Logs {
  return {
    async read(name) {
      const result = await connections.read(host, { script: logScript, values: [name, String(maxLogBytes)] })
      if (result.code === noLog) throw new MachineFailure(noSuchLog(name))
      return parseLog(requireDone(requireRead(result, name), 'read the log').stdout)
    },
  }
}

/** Drops names that are not valid log names, because a site's log may be called anything. */
function parseLog(printed: string): { names: string[]; text: string } {
  const mark = 'content\n'
  const start = printed.startsWith(mark) ? 0 : printed.indexOf(`\n${mark}`) + 1
  const names = printed
    .slice(0, start)
    .split('\n')
    .flatMap((line) => (line.startsWith('log\t') ? [line.slice(4)] : []))
  return { names: names.filter(isLogName), text: lastPart(printed.slice(start + mark.length)) }
}
