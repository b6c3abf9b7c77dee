/** Updates the portal's rows after operations on sites. */
import 'server-only'
import type { OutcomeHooks } from '@/lib/portal/spine/hooks'
import { dropLabels } from '../labels/labels'
import { dropUndos } from '../undoable/kept'

export const sitesHooks = {
  after: {
    'sites.delete': async ({ decision: { site }, outcome }) => {
      if (!outcome.ok || !site) return
      await dropLabels('site', site.id)
      await dropUndos({ kind: 'site', id: site.id })
    },
  },
} satisfies OutcomeHooks
