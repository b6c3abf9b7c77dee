/** Cron of a real machine. */
import { problem } from '@/lib/contract/problem'
import { createCron } from '@/lib/service/machines/cron'
import { type Cron, MachineFailure } from '@/lib/service/machines/machine'
import type { Connections } from '@/lib/service/ssh/connections'
import type { Ran, Reach } from '@/lib/service/ssh/reach'
import { changedMeanwhile, encodeCrontab, parseComplaint, refusedByCron, writeCrontabScript } from './changes/crontab'
import { crontabScript, crontabsScript, noCron, noSuchAccount, parseCrontabOf, parseCrontabs, tooLargeCrontab } from './facts/crontabs'
import { requireDone } from './require-done'

export function createDebianCron(connections: Connections, reach: Reach): Cron {
  return createCron({
    readAll: async () => parseCrontabs(requireWhole(await connections.read(reach, { script: crontabsScript }))),
    async read(user) {
      const ran = await connections.read(reach, { script: crontabScript, values: [user] })
      if (ran.code === noSuchAccount) return null
      if (ran.code === noCron) throw withoutCron()
      if (ran.code === tooLargeCrontab) throw tooLarge(user)
      return parseCrontabOf(requireWhole(ran))
    },
    async write(user, before, after) {
      const values = [user, encodeCrontab(before), encodeCrontab(after.text), after.removed]
      const ran = await connections.change(reach, { script: writeCrontabScript, values })
      if (ran.code === changedMeanwhile) return { kind: 'changed' }
      const complaint = ran.code === refusedByCron ? parseComplaint(ran.stderr, after.text) : null
      if (complaint) return complaint
      requireDone(ran, 'keep the crontab')
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

function requireWhole(ran: Ran): string {
  const { stdout, truncated } = requireDone(ran, 'read the crontabs')
  if (truncated) throw new MachineFailure(problem('internal', { sentence: 'The crontabs of this server are too large to read.' }))
  return stdout
}
