/** Cron jobs of a server: every account's crontab. */

import type { Input } from '@/lib/contract/operation'
import type { cron } from '@/lib/contract/operations/cron'
import { problem } from '@/lib/contract/problem'
import { commandRefusal, isWritable, type Job } from '@/lib/crontab/line'
import { timeNames } from '@/lib/crontab/times'
import { Refused } from '../failure'
import { userOfLine } from '../machines/crontab'
import { changeMachine, requireMachine, type SubjectRoutes } from './call'
import { accountRefusal } from './names'

export const cronRoutes: SubjectRoutes<typeof cron> = {
  async list(call) {
    const machine = await requireMachine(call)
    const { name, dns, host, ip, user, port } = machine
    const { jobs, partial } = await call.service.fleet.machine(machine).cron.list()
    return { name, dns, host, ip, user, port: String(port), cronjobs: jobs, ...(partial.length > 0 && { partial }) }
  },

  async save(call) {
    const job = parseJob(call.input)
    const { user, before } = call.input
    if (before !== undefined && userOfLine(before) !== user)
      throw new Refused(problem('invalid', { fields: { before: 'Give the line of a job of the same account as the list tells it.' } }))
    return changeMachine(call, ({ cron }) => cron.save(user, job, before))
  },

  async delete(call) {
    const { line } = call.input
    if (userOfLine(line) === null)
      throw new Refused(problem('invalid', { fields: { line: 'Give the line of a job as the list tells it.' } }))
    return changeMachine(call, ({ cron }) => cron.delete(line))
  },
}

/** Any sign that may stand in a field of cron's; whether it makes sense is the machine's to say. */
const timeSigns = /^@?[\w*,/~-]{1,100}$/

/** Checks all fields at once. Throws Refused invalid with a reason for each that is not acceptable. */
function parseJob(input: Input<typeof cron.save>): Job {
  const { command } = input
  const [minute = '', hour = '', dom = '', mon = '', dow = ''] = timeNames.map((name) => input[name].trim())
  const times = { minute, hour, dom, mon, dow }
  const named = minute.startsWith('@') && !hour && !dom && !mon && !dow
  const checks: [field: string, refusal: string | null][] = timeNames.map((name) => {
    const fits = timeSigns.test(times[name]) && (named || !times[name].startsWith('@'))
    return [name, fits || (named && name !== 'minute') ? null : 'Give a number, *, a list, a range or a step.']
  })
  checks.push(['user', accountRefusal(input.user)], ['command', commandRefusal(command)])
  const fields = Object.fromEntries(checks.flatMap(([field, refusal]) => (refusal ? [[field, refusal]] : [])))
  if (Object.keys(fields).length > 0) throw new Refused(problem('invalid', { fields }))
  const job = { ...times, command }
  if (!isWritable(job)) throw new Refused(problem('invalid', { fields: { command: 'Cron would take this for something else.' } }))
  return job
}
