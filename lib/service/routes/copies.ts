/** Copies of backups outside of their servers, made as jobs of these. */
import type { copies } from '@/lib/contract/operations/copies'
import { onHost } from '../store/sites'
import { followOrStart, requireReadySite, type SubjectRoutes } from './call'

export const copiesRoutes: SubjectRoutes<typeof copies> = {
  make: (call) =>
    followOrStart(call, { operation: 'copies.make' }, async (machine) => {
      const { service, input } = call
      const { endpoint, region, bucket, folder, key_id: keyId, key_secret: keySecret, password, limit: limitKb } = input
      await requireReadySite(call)
      return service.siteRuns.run(machine, input.site_id, { operation: 'copies.make' }, async () => ({
        kind: 'copy',
        site: onHost(await requireReadySite(call)),
        target: { endpoint, region, bucket, folder, keyId, keySecret, password, limitKb },
      }))
    }),
}
