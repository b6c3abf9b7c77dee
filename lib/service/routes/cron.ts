/** Cron jobs of a server: the crontabs of all system users. */
import { cronTime } from '@/lib/contract/fields'
import { messageOf } from '@/lib/contract/limits'
import type { Input } from '@/lib/contract/operation'
import type { cron } from '@/lib/contract/operations/cron'
import { problem } from '@/lib/contract/problem'
import { commandRefusal, isWritable, type Job } from '@/lib/crontab/line'
import { isNickname, timeNames } from '@/lib/crontab/times'
import { Refused } from '../failure'
import { userOfLine } from '../machines/crontab'
import { listSiteUsers } from '../store/sites'
import { changeMachine, type Refusals, requireMachine, type SubjectChecks, type SubjectRoutes } from './call'

export const cronRoutes: SubjectRoutes<typeof cron> = {
  async list(call) {
    const machine = await requireMachine(call)
    const { name, dns, host, ip, user, port } = machine
    const [{ jobs, partial }, siteUsers] = await Promise.all([
      call.service.fleet.machine(machine).cron.list(),
      listSiteUsers(call.service.store, machine.id),
    ])
    const header = { name, dns, host, ip, user, port: String(port) }
    return { ...header, cronjobs: jobs, ...(partial.length > 0 && { partial }), site_users: siteUsers }
  },

  async save(call) {
    const job = jobOf(call.input)
    if (!isWritable(job)) throw new Refused(problem('invalid', { fields: { command: 'Cron would interpret this as something else.' } }))
    return changeMachine(call, ({ cron }) => cron.save(call.input.user, job, call.input.before))
  },

  async delete(call) {
    return changeMachine(call, ({ cron }) => cron.delete(call.input.line))
  },
}

export const cronChecks: SubjectChecks<typeof cron> = {
  save: (input) => ({ ...jobRefusals(input), before: placeRefusal(input) }),
  delete: ({ line }) => ({ line: userOfLine(line) === null ? 'Send the line of a job exactly as the list returns it.' : null }),
}

const placeRefusal = ({ user, before }: Input<typeof cron.save>): string | null =>
  before === undefined || userOfLine(before) === user ? null : 'Send the line of a job of the same user exactly as the list returns it.'

function jobOf({ minute, hour, dom, mon, dow, command }: Input<typeof cron.save>): Job {
  return { minute, hour, dom, mon, dow, command }
}

/** A nickname such as @daily must be alone in the first field; otherwise every field needs a value. */
function jobRefusals(input: Input<typeof cron.save>): Refusals {
  const job = jobOf(input)
  const named = isNickname(job)
  const isTime = (time: string) => time !== '' && !time.startsWith('@')
  const times = timeNames.map((name) => [name, named || isTime(job[name]) ? null : messageOf(cronTime, 'pattern')])
  return { ...Object.fromEntries(times), command: commandRefusal(job.command) }
}
