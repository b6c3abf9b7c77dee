/** The logs of a server. */
import { harmlessLog } from '@/lib/contract/log-text'
import type { logs } from '@/lib/contract/operations/logs'
import { problem } from '@/lib/contract/problem'
import { Refused } from '../failure'
import { isLogName, logNames } from '../machines/logs'
import { requireMachine, type SubjectRoutes } from './call'

export const logsRoutes: SubjectRoutes<typeof logs> = {
  async fetch(call) {
    const { log } = call.input
    if (!isLogName(log)) throw new Refused(unknownName())
    const { names, text } = await call.service.fleet.machine(await requireMachine(call)).logs.read(log)
    return { content: harmlessLog(text), logs: names }
  },
}

const unknownName = () =>
  problem('invalid', { fields: { log: `Give one of ${logNames.join(', ')}, or site:DOMAIN:access or site:DOMAIN:error.` } })
