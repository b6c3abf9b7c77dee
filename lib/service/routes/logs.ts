/** The logs of a server, and of a site. */
import { siteLogNames } from '@/lib/contract/fields'
import { harmlessLog } from '@/lib/contract/log-text'
import type { logs } from '@/lib/contract/operations/logs'
import { problem } from '@/lib/contract/problem'
import { Refused } from '../failure'
import { isLogName, logNames, readLogName } from '../machines/logs'
import { onHost } from '../store/sites'
import { requireMachine, requireSite, type SubjectChecks, type SubjectReadings, type SubjectRoutes } from './call'

export const logsRoutes: SubjectRoutes<typeof logs> = {
  async fetch(call) {
    const { log } = call.input
    const { names, text } = await call.service.fleet.machine(await requireMachine(call)).logs.read(log)
    return { content: harmlessLog(text), logs: names }
  },

  async fetchSite(call) {
    const site = await requireSite(call)
    if (site.state === 'creating') throw new Refused(problem('busy', { sentence: 'The site is still being created. Its logs begin then.' }))
    const text = await call.service.fleet.machine(site.machine).sites.readLog(onHost(site), requireLog(call.input.log))
    return { content: harmlessLog(text), logs: [...siteLogNames] }
  },
}

export const logsReadings: SubjectReadings<typeof logs> = {
  fetch: async ({ input }) => ({ ...input, log: readLogName(input.log) }),
}

export const logsChecks: SubjectChecks<typeof logs> = {
  fetch: ({ log }) => ({ log: isLogName(log) ? null : `Give one of ${logNames.join(', ')}, or site:DOMAIN:access or site:DOMAIN:error.` }),
}

/** The field's own limit has refused any other. */
function requireLog(name: string): (typeof siteLogNames)[number] {
  const found = siteLogNames.find((known) => known === name)
  if (found === undefined) throw new Refused(problem('invalid'))
  return found
}
