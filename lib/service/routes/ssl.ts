/** SSL of sites, switched on and off as a job of their server. */
import type { ssl } from '@/lib/contract/operations/ssl'
import { problem } from '@/lib/contract/problem'
import { Refused } from '../failure'
import { findNewestSiteRun } from '../store/site-runs'
import { onHost } from '../store/sites'
import { parseEventId, requireReadySite, requireSite, type SubjectRoutes } from './call'
import { noSuchRun } from './sites'

export const sslRoutes: SubjectRoutes<typeof ssl> = {
  async set(call) {
    const { service, accountId, input, lastEventId } = call
    const { machine } = await requireSite(call)
    if (lastEventId !== null) {
      const run = await findNewestSiteRun(service.store, accountId, { operation: 'ssl.set', siteId: input.site_id })
      if (!run) throw new Refused(noSuchRun)
      return service.siteRuns.resume(machine, run, parseEventId(lastEventId))
    }
    const admit = async () => onHost(await requireReadySite(call))
    const { domain } = await admit()
    // An order that the authority has to refuse counts against the account there.
    const refusal = input.status && machine.provider !== 'sandbox' ? await service.certificateRules.refusal(domain) : null
    if (refusal !== null) throw new Refused(problem('unsuitable', { sentence: refusal }))
    return service.siteRuns.switchSsl(machine, input.status, admit)
  },
}
