/** The last backups of sites that were deleted: each account sees those of its own sites. */
import type { lastBackups } from '@/lib/contract/operations/last-backups'
import { problem } from '@/lib/contract/problem'
import { Refused } from '../failure'
import { isLastBackupName } from '../machines/site-backups'
import type { LastBackup } from '../machines/sites'
import { ownerTag } from '../owner'
import type { MachineRow } from '../store/machines'
import { findSitesOfOthers } from '../store/site-runs'
import { listNames } from '../store/sites'
import { requireMachine, type Service, type SubjectChecks, type SubjectRoutes } from './call'

export const lastBackupsRoutes: SubjectRoutes<typeof lastBackups> = {
  async list(call) {
    const found = await listOwn(call.service, await requireMachine(call))
    const names = new Set(found.some(({ aliases }) => aliases.length > 0) ? await listNames(call.service.store, call.accountId, '') : [])
    return { items: found.map((backup) => describe(backup, names)) }
  },

  async delete(call) {
    const { service, input } = call
    const { id } = await requireMachine(call)
    await service.locks.hold(id, async () => {
      const machine = await requireMachine(call)
      const own = new Set((await listOwn(service, machine)).map(({ name }) => name))
      const names = [...new Set(input.ids)].filter((name) => own.has(name))
      if (names.length > 0) await service.fleet.machine(machine).sites.deleteLastBackups(names)
    })
    return {}
  },
}

export const lastBackupRefusal = 'Send backup names as the list returns them.'

export const lastBackupsChecks: SubjectChecks<typeof lastBackups> = {
  delete: ({ ids }) => ({ ids: ids.length > 0 && ids.every(isLastBackupName) ? null : lastBackupRefusal }),
}

/** Throws Refused changed_meanwhile if the account has no such backup on the server. */
export async function requireLastBackup(service: Service, machine: MachineRow, name: string): Promise<void> {
  if ((await listOwn(service, machine)).some((backup) => backup.name === name)) return
  const sentence = `There is no last backup ${name} on this server. Nothing was changed.`
  throw new Refused(problem('changed_meanwhile', { sentence }))
}

/**
 * Archives say whose they are. Those that earlier versions made do not: they belong to the account that deleted the site through this service, and
 * without a trace of that to each account that has the server.
 */
async function listOwn({ store, fleet }: Service, machine: MachineRow): Promise<LastBackup[]> {
  const found = await fleet.machine(machine).sites.listLastBackups()
  const owner = ownerTag(machine.accountId)
  const unsigned = found.filter((backup) => backup.owner === '')
  const ofOthers = await findSitesOfOthers(
    store,
    machine.accountId,
    unsigned.map(({ siteId }) => siteId),
  )
  return found.filter((backup) => (backup.owner === '' ? !ofOthers.has(backup.siteId) : backup.owner === owner))
}

const keptMs = 7 * 86_400_000

/** What a backup of the first format does not have, as nouns. */
const lackedByFirst = ['email', 'cron jobs']

/** names: that sites of the account have by now. */
const describe = ({ name, domain, bytes, madeAt, proven, format, aliases }: LastBackup, names: ReadonlySet<string>) => ({
  name,
  domain,
  size: bytes,
  proven,
  created_at: new Date(madeAt * 1000).toISOString(),
  kept_until: new Date(madeAt * 1000 + keptMs).toISOString(),
  taken: aliases.filter((alias) => names.has(alias)),
  ...(format !== null && { format, lacks: format < 2 ? lackedByFirst : [] }),
})
