/** SSL of sites, switched on and off as a job of their server. */
import type { ssl } from '@/lib/contract/operations/ssl'
import { problem } from '@/lib/contract/problem'
import { Refused } from '../failure'
import { onHost } from '../store/sites'
import { followOrStart, requireReadySite, type SubjectRoutes } from './call'
import { findRefused } from './site-settings'

export const sslRoutes: SubjectRoutes<typeof ssl> = {
  set: (call) =>
    followOrStart(call, { operation: 'ssl.set' }, async (machine) => {
      const { service, input } = call
      const site = await requireReadySite(call)
      // An order that the authority has to refuse counts against the account there.
      const refused = input.status ? await findRefused(service, machine, onHost(site)) : []
      const own = refused.find(({ name }) => name === site.domain)
      if (own) throw new Refused(problem('unsuitable', { sentence: own.reason }))
      return service.siteRuns.run(machine, call.input.site_id, { operation: 'ssl.set' }, async ({ authority }) => ({
        kind: 'ssl',
        on: input.status,
        authority,
        refused,
        site: onHost(await requireReadySite(call)),
      }))
    }),
}
