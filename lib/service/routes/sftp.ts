/** The keys with which the user of a site signs in by SFTP. */
import type { sftp } from '@/lib/contract/operations/sftp'
import { problem } from '@/lib/contract/problem'
import { readPublicKey } from '@/lib/text/public-key'
import { cleanText } from '../clean-text'
import { Refused } from '../failure'
import { onHost } from '../store/sites'
import { changeSite, requireSite, type SubjectRoutes } from './call'

export const sftpRoutes: SubjectRoutes<typeof sftp> = {
  async list(call) {
    const site = await requireSite(call)
    const { domain, machine, state } = site
    const keys = state === 'ready' ? await call.service.fleet.machine(machine).sites.keys(onHost(site)) : []
    const items = keys.map(({ fingerprint, type, bits, comment, line }) => ({
      fingerprint,
      type,
      comment: cleanText(comment, 1000),
      key: line,
      ...(bits !== null && { bits }),
    }))
    return { domain, items }
  },

  async save(call) {
    const read = readPublicKey(call.input.key)
    if ('refusal' in read) throw new Refused(problem('invalid', { fields: { key: read.refusal } }))
    return changeSite(call, (sites, site) => sites.addKey(site, read.key))
  },

  delete: (call) => changeSite(call, (sites, site) => sites.removeKey(site, call.input.fingerprint)),
}
