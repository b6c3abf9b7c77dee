/** Updates the portal's rows after operations on sites. Slow ones are jobs, and end in slow-work.ts. */
import 'server-only'
import type { OutcomeHooks } from '@/lib/portal/spine/hooks'
import { forgetSite } from './gone'

export const sitesHooks = {
  after: {
    'sites.delete': async ({ decision: { site }, outcome }) => {
      if (outcome.ok && site) await forgetSite(site.id)
    },
  },
} satisfies OutcomeHooks
