/** The keys with which the user of a site signs in by SFTP. */
import type { sftp } from '@/lib/contract/operations/sftp'
import { problem } from '@/lib/contract/problem'
import { readPublicKey } from '@/lib/text/public-key'
import { cleanText } from '../clean-text'
import { Refused } from '../failure'
import type { SiteOnHost, Sites } from '../machines/sites'
import { onHost } from '../store/sites'
import { type Call, requireReadySite, requireSite, type SubjectRoutes } from './call'

export const sftpRoutes: SubjectRoutes<typeof sftp> = {
  async list(call) {
    const site = await requireSite(call)
    const { domain, machine, state } = site
    const keys = state === 'ready' ? await call.service.fleet.machine(machine).sites.keys(onHost(site)) : []
    const items = keys.map(({ fingerprint, type, bits, comment, line }) => ({
      ...{ fingerprint, type, comment: cleanText(comment, 1000), key: line },
      ...(bits !== null && { bits }),
    }))
    return { domain, items }
  },

  async save(call) {
    const read = readPublicKey(call.input.key)
    if ('refusal' in read) throw new Refused(problem('invalid', { fields: { key: read.refusal } }))
    return changeKeys(call, (sites, site) => sites.addKey(site, read.key))
  },

  delete: (call) => changeKeys(call, (sites, site) => sites.removeKey(site, call.input.fingerprint)),
}

/** Makes one change of a server at a time. */
async function changeKeys(
  call: Pick<Call<typeof sftp.delete>, 'service' | 'accountId'> & { input: { site_id: string } },
  change: (sites: Sites, site: SiteOnHost) => Promise<void>,
): Promise<Record<never, never>> {
  const { machine } = await requireSite(call)
  await call.service.locks.hold(machine.id, async () => {
    const site = await requireReadySite(call)
    await change(call.service.fleet.machine(site.machine).sites, onHost(site))
  })
  return {}
}
