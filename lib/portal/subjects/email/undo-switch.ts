/** Undoes switching email of a site on or off. */
import 'server-only'
import * as z from 'zod'
import { email } from '@/lib/contract/operations/email'
import { tooLate } from '../revert/run-inverse'
import { runOperation } from '../spine'
import { type Kept, kept, undoKind } from '../undoable/kind'

/** Switches email back, as a job, unless it is in its former state. */
export const undoEmailSwitch = undoKind({
  name: 'email.switch',
  /** on: the state before the change. elsewhere: the mail server that DNS named then, if it was not this one. */
  schema: z.object({ on: z.boolean(), elsewhere: z.string() }),
  summary: 'Switches email back.',
  plain: true,
  needs: email.set,
  page: ({ id }) => ({ href: `/sites/${id}/email`, label: 'Email' }),
  async revert(actor, { target, startSlow, requestId, undoes }, { on, elsewhere }) {
    const read = await runOperation(actor, email.get, target)
    if (!read.ok) return read
    const now = read.data.item[0]
    const word = on ? 'on' : 'off'
    if (now.email === on) return tooLate(`Email is ${word} again, so there is nothing to undo.`)
    // Only what somebody accepted before: another mail server is asked about again, by the refusal.
    const anyway = on && elsewhere !== '' && now.elsewhere === elsewhere
    const fields = { status: on ? '1' : '0', anyway: anyway ? '1' : '0' }
    const started = await startSlow(actor, email.set, target, fields, { requestId, undoes })
    return started.ok ? { ok: true, data: { ...started.data, message: `Email is ${word} again.` } } : started
  },
})

/** status: as it is sent, 1 or 0. */
export const keptEmailSwitch = (status: string, elsewhere: string): Kept => kept(undoEmailSwitch, { on: status !== '1', elsewhere })
