/** Undoes switching SSL of a site on or off. */
import 'server-only'
import * as z from 'zod'
import { sites } from '@/lib/contract/operations/sites'
import { ssl } from '@/lib/contract/operations/ssl'
import { tooLate } from '../revert/run-inverse'
import { runOperation } from '../spine'
import { type Kept, kept, undoKind } from '../undoable/kind'

/** Switches SSL back, as a job, unless it is in its former state. */
export const undoSslSwitch = undoKind({
  name: 'ssl.switch',
  /** on: the state before the change. */
  schema: z.object({ on: z.boolean() }),
  summary: 'Switches SSL back.',
  plain: true,
  needs: ssl.set,
  page: ({ id }) => ({ href: `/sites/${id}/ssl`, label: 'SSL' }),
  async revert(actor, { target, startSlow, requestId, undoes }, { on }) {
    const now = await runOperation(actor, sites.settings, target)
    if (!now.ok) return now
    const word = on ? 'on' : 'off'
    if (now.data.item[0].ssl === on) return tooLate(`SSL is ${word} again, so there is nothing to undo.`)
    const started = await startSlow(actor, ssl.set, target, { status: on ? '1' : '0' }, { requestId, undoes })
    return started.ok ? { ok: true, data: { ...started.data, message: `SSL is ${word} again.` } } : started
  },
})

/** status: as it is sent, 1 or 0. */
export const keptSslSwitch = (status: string): Kept => kept(undoSslSwitch, { on: status !== '1' })
