/** The logs of a real machine. */

import { isLogName, lastPart, maxLogBytes, noSuchLog, unreadLog } from '@/lib/service/machines/logs'
import { type Logs, MachineFailure } from '@/lib/service/machines/machine'
import type { Connections } from '@/lib/service/ssh/connections'
import type { HostAddress } from '@/lib/service/ssh/host-address'
import { parsePairs } from './facts/pairs'
import { requireDone } from './require-done'
import { readScript } from './script'

const logScript = readScript(import.meta.url, 'facts/log.bash')

/** The script's exit codes: no such log, or one that it does not read. */
const noLog = 67
const notRead = 66

export function createDebianLogs(connections: Connections, host: HostAddress): Logs {
  return {
    async read(name) {
      const result = await connections.read(host, { script: logScript, values: [name, String(maxLogBytes)] })
      if (result.code === noLog) throw new MachineFailure(noSuchLog(name))
      if (result.code === notRead) throw new MachineFailure(unreadLog(name, parsePairs(result.stdout).get('refused') ?? ''))
      return parseLog(requireDone(result, 'read the log').stdout)
    },
  }
}

/** Names that are not ours are dropped, because the log of a site may have any name. */
function parseLog(printed: string): { names: string[]; text: string } {
  const mark = 'content\n'
  const start = printed.startsWith(mark) ? 0 : printed.indexOf(`\n${mark}`) + 1
  const names = printed
    .slice(0, start)
    .split('\n')
    .flatMap((line) => (line.startsWith('log\t') ? [line.slice(4)] : []))
  return { names: names.filter(isLogName), text: lastPart(printed.slice(start + mark.length)) }
}
