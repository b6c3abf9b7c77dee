/** What operations on sites change in the portal's own rows. */
import 'server-only'
import type { OutcomeHooks } from '@/lib/portal/spine/hooks'
import { dropLabels } from '../labels/labels'

export const sitesHooks = {
  after: {
    'sites.delete': async ({ decision: { site }, outcome }) => {
      if (outcome.ok && site) await dropLabels('site', site.id)
    },
  },
} satisfies OutcomeHooks
