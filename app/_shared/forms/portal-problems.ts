/** What can go wrong between this page and the portal, in one sentence each. */
import { problem } from '@/lib/contract/problem'

/** A read was not answered, or an action that may safely be repeated. */
export const portalUnreachable = problem('upstream_unreachable', { sentence: 'Gatehouse is unreachable.' })

/** The answer did not come from the portal. */
export const portalFailed = problem('internal', { sentence: 'Something went wrong in Gatehouse.' })

/** An action was sent and its answer never came. */
export const answerLost = problem('outcome_unknown', {
  sentence: 'Gatehouse didn’t respond. Check whether the change was made before you try again.',
})

/** The browser was offline before the action was sent. */
export const nothingSent = problem('upstream_unreachable', { sentence: 'You are offline. Nothing was sent.' })

/** What the portal's front says before an action begins; it arrives as the text of an error. */
export const hostRewritten = problem('host_rewritten')

/** The portal runs another build than the one that rendered this page, and does not know its actions. */
export const pageOutdated = problem('changed_meanwhile', { sentence: 'Gatehouse was updated. Nothing was done. Reload this page.' })
