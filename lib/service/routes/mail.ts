/** The mail queue of a server. */
import type { mail } from '@/lib/contract/operations/mail'
import { isMessageId } from '../machines/mail-queue'
import { changeMachine, requireMachine, type SubjectChecks, type SubjectRoutes } from './call'

export const mailRoutes: SubjectRoutes<typeof mail> = {
  async list(call) {
    return { messages: await call.service.fleet.machine(await requireMachine(call)).mail.list() }
  },

  async delete(call) {
    const ids = [...new Set(call.input.ids)]
    return changeMachine(call, (machine) => machine.mail.delete(ids))
  },
}

export const mailChecks: SubjectChecks<typeof mail> = {
  delete: ({ ids }) => ({
    ids: ids.length > 0 && ids.every(isMessageId) ? null : 'Send message ids as the list returns them.',
  }),
}
