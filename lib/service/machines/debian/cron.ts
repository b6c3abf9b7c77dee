/** Cron of a real server. */
import { problem } from '@/lib/contract/problem'
import { createCron } from '@/lib/service/machines/cron'
import { type Cron, MachineFailure } from '@/lib/service/machines/machine'
import type { Connections } from '@/lib/service/ssh/connections'
import type { ExecResult, HostAddress } from '@/lib/service/ssh/host-address'
import { changedMeanwhile, encodeCrontab, parseComplaint, refusedByCron, writeCrontabScript } from './changes/crontab'
import { crontabScript, crontabsScript, noCron, noSuchAccount, parseCrontabOf, parseCrontabs, tooLargeCrontab } from './facts/crontabs'
import { requireDone } from './require-done'

export function createDebianCron(connections: Connections, host: HostAddress): Cron {
  return createCron({
    readAll: async () => parseCrontabs(requireWhole(await connections.read(host, { script: crontabsScript }))),
    async read(user) {
      const result = await connections.read(host, { script: crontabScript, values: [user] })
      if (result.code === noSuchAccount) return null
      if (result.code === noCron) throw withoutCron()
      if (result.code === tooLargeCrontab) throw tooLarge(user)
      return parseCrontabOf(requireWhole(result))
    },
    async write(user, before, after) {
      const values = [user, encodeCrontab(before), encodeCrontab(after.text), after.removed]
      const result = await connections.change(host, { script: writeCrontabScript, values })
      if (result.code === changedMeanwhile) return { kind: 'changed' }
      const complaint = result.code === refusedByCron ? parseComplaint(result.stderr, after.text) : null
      if (complaint) return complaint
      requireDone(result, 'save the crontab')
      return { kind: 'done' }
    },
  })
}

const withoutCron = () =>
  new MachineFailure(
    problem('not_installed', { sentence: 'Cron is not installed on this server. Install the server, or its package cron.' }),
  )

const tooLarge = (user: string) =>
  new MachineFailure(
    problem('invalid', {
      sentence: `The crontab of ${user} is larger than 700 KB, so Gatehouse does not change it. Edit it on the server: crontab -e -u ${user}`,
    }),
  )

function requireWhole(result: ExecResult): string {
  const { stdout, truncated } = requireDone(result, 'read the crontabs')
  if (truncated) throw new MachineFailure(problem('internal', { sentence: 'The crontabs of this server are too large to read.' }))
  return stdout
}
