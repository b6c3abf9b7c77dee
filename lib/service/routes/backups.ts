/** Backups of sites: made and restored as jobs of their server. */
import type { backups } from '@/lib/contract/operations/backups'
import { problem } from '@/lib/contract/problem'
import { Refused } from '../failure'
import { formatBackupDate, isSiteBackupName } from '../machines/site-backups'
import type { SiteBackup } from '../machines/sites'
import { listNames, onHost } from '../store/sites'
import { changeMachine, followOrStart, requireReadySite, requireSite, type SubjectChecks, type SubjectRoutes } from './call'

export const backupsRoutes: SubjectRoutes<typeof backups> = {
  async list(call) {
    const site = await requireSite(call)
    const { domain, machine } = site
    // A site that is not complete is not on its server yet, or no longer.
    const found = site.state === 'ready' ? await call.service.fleet.machine(machine).sites.listBackups(onHost(site)) : []
    const someBack = found.some(({ aliases }) => aliases.length > 0)
    const names = new Set(someBack ? await listNames(call.service.store, call.accountId, site.id) : [])
    return { domain, ip: machine.ip, items: found.map((backup) => describe(backup, names)) }
  },

  create: (call) =>
    followOrStart(call, { operation: 'backups.create' }, async (machine) => {
      await requireReadySite(call)
      return call.service.siteRuns.run(machine, call.input.site_id, { operation: 'backups.create' }, async () => ({
        kind: 'backup',
        site: onHost(await requireReadySite(call)),
      }))
    }),

  restore: (call) =>
    followOrStart(call, { operation: 'backups.restore' }, async (machine) => {
      const { service, input } = call
      const site = onHost(await requireReadySite(call))
      const there = await service.fleet.machine(machine).sites.listBackups(site)
      if (!there.some(({ name }) => name === input.restore)) {
        const sentence = `There is no backup ${input.restore} of this site. Nothing was changed.`
        throw new Refused(problem('changed_meanwhile', { sentence }))
      }
      return service.siteRuns.run(machine, call.input.site_id, { operation: 'backups.restore' }, async ({ authority }) => {
        const present = onHost(await requireReadySite(call))
        const taken = await listNames(service.store, call.accountId, present.id)
        return {
          kind: 'restore',
          site: present,
          backup: input.restore,
          backupFirst: input.backup_first === true,
          taken,
          authority,
          copy: null,
        }
      })
    }),

  async delete(call) {
    const { machine } = await requireSite(call)
    const names = [...new Set(call.input.ids)]
    return changeMachine({ ...call, input: { server_id: machine.id } }, async ({ sites }) =>
      sites.deleteBackups(onHost(await requireSite(call)), names),
    )
  },
}

const refusal = 'Send backup names as the list returns them.'

export const backupsChecks: SubjectChecks<typeof backups> = {
  restore: ({ restore }) => ({ restore: isSiteBackupName(restore) ? null : refusal }),
  delete: ({ ids }) => ({ ids: ids.length > 0 && ids.every(isSiteBackupName) ? null : refusal }),
}

/** names: that other sites of the account have. */
const describe = ({ name, bytes, madeAt, proven, reason, aliases }: SiteBackup, names: ReadonlySet<string>) => ({
  name,
  size: bytes,
  proven,
  reason,
  date: formatBackupDate(madeAt),
  created_at: new Date(madeAt * 1000).toISOString(),
  taken: aliases.filter((alias) => names.has(alias)),
})
