/** The certificate of a site. */
import { status } from '@/lib/contract/fields'
import { done } from '@/lib/contract/members'
import { operation, subject } from '@/lib/contract/operation'

export const ssl = subject('ssl', {
  set: operation({
    method: 'POST',
    path: '/sites/{site_id}/setssl',
    fields: { status },
    answer: done,
    effect: 'change',
    undoable: true,
    pace: 'slow',
    description: 'Switch SSL on or off.',
  }),
})
