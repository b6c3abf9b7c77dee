/** The logs of a server. */
import { harmlessLog } from '@/lib/contract/log-text'
import type { logs } from '@/lib/contract/operations/logs'
import { isLogName, logNames } from '../machines/logs'
import { requireMachine, type SubjectChecks, type SubjectRoutes } from './call'

export const logsRoutes: SubjectRoutes<typeof logs> = {
  async fetch(call) {
    const { log } = call.input
    const { names, text } = await call.service.fleet.machine(await requireMachine(call)).logs.read(log)
    return { content: harmlessLog(text), logs: names }
  },
}

export const logsChecks: SubjectChecks<typeof logs> = {
  fetch: ({ log }) => ({ log: isLogName(log) ? null : `Give one of ${logNames.join(', ')}, or site:DOMAIN:access or site:DOMAIN:error.` }),
}
