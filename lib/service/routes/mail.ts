/** The mail queue of a server. */
import type { mail } from '@/lib/contract/operations/mail'
import { problem } from '@/lib/contract/problem'
import { Refused } from '../failure'
import { isMessageId } from '../machines/mail-queue'
import { changeMachine, requireMachine, type SubjectRoutes } from './call'

export const mailRoutes: SubjectRoutes<typeof mail> = {
  async list(call) {
    return { messages: await call.service.fleet.machine(await requireMachine(call)).mail.list() }
  },

  async delete(call) {
    const ids = [...new Set(call.input.ids)]
    if (ids.length === 0 || !ids.every(isMessageId)) throw new Refused(notListed())
    return changeMachine(call, (machine) => machine.mail.delete(ids))
  },
}

const notListed = () => problem('invalid', { fields: { ids: 'Name the messages by their ids, as the list tells them.' } })
