/** Sites of a real server. */
import { problem } from '@/lib/contract/problem'
import { MachineFailure } from '@/lib/service/machines/machine'
import type { SiteJobLine, Sites } from '@/lib/service/machines/sites'
import type { Connections } from '@/lib/service/ssh/connections'
import type { HostAddress } from '@/lib/service/ssh/host-address'
import { followLines } from './follow-lines'
import { runPackaged } from './host/begin'
import { isBusy } from './is-busy'
import { requireDone } from './require-done'
import { readApp } from './sites/apps'
import { createDebianDownloads, deleteLastBackups, deleteSiteBackups, listLastBackups, listSiteBackups } from './sites/backups'
import { readTables, setDatabasePassword } from './sites/database'
import { appValues, parseFacts } from './sites/facts'
import { cancelScript, claimScript, factsScript, forgetScript, jobValues, parseSiteLine, settleScript, watchScript } from './sites/job'
import { readSiteLog } from './sites/log'
import { deleteAddress, readMail, saveAddress } from './sites/mail'
import { checkNames } from './sites/names'
import { withNewLogins } from './sites/new-login'
import { requireSftp } from './sites/sftp'
import { addKey, readKeys, removeKey } from './sites/sftp-keys'
import { readStaging } from './sites/staging/facts'
import { readTraffic } from './sites/traffic'

export function createDebianSites(connections: Connections, host: HostAddress): Sites {
  return {
    async start(jobId, work) {
      if (work.kind === 'create' || work.kind === 'pull') await requireSftp(connections, host)
      const onFullDisk = work.kind === 'delete' && !work.backup
      const result = await runPackaged(connections, host, 'sites/start', [jobId, ...jobValues(work, host.host)], onFullDisk)
      if (result.code === isBusy) throw new MachineFailure(problem('busy'))
      requireDone(result, 'start this')
    },
    follow: (jobId, afterLine, signal) => follow(connections, host, jobId, afterLine, signal),
    async cancel(jobId) {
      const said = requireDone(await connections.change(host, { script: cancelScript, values: [jobId] }), 'cancel this').stdout.trim()
      return said === 'cancelled' || said === 'late' ? said : 'ended'
    },
    async forget(jobId) {
      requireDone(await connections.change(host, { script: forgetScript, values: [jobId] }), 'tidy up')
    },
    async facts(sites, catalogue = []) {
      const values = [...appValues(catalogue), ...sites.flatMap(({ name, domain }) => [name, domain])]
      return parseFacts(requireDone(await connections.read(host, { script: factsScript, values }), 'report on its sites').stdout, catalogue)
    },
    checkNames: (site) => checkNames(connections, host, site),
    readLog: (site, log) => readSiteLog(connections, host, site, log),
    traffic: (site) => readTraffic(connections, host, site),
    findApp: (site, catalogue) => readApp(connections, host, site, catalogue),
    tables: (site) => readTables(connections, host, site),
    mail: (site) => readMail(connections, host, site),
    saveAddress: (site, address, password) => saveAddress(connections, host, site, address, password),
    deleteAddress: (site, user) => deleteAddress(connections, host, site, user),
    keys: (site) => readKeys(connections, host, site),
    addKey: (site, key) => addKey(connections, host, site, key),
    removeKey: (site, fingerprint) => removeKey(connections, host, site, fingerprint),
    staging: (site, copy) => readStaging(connections, host, site, copy),
    setDatabasePassword: (site, password) => setDatabasePassword(connections, host, site, password),
    listBackups: (site) => listSiteBackups(connections, host, site),
    deleteBackups: (site, names) => deleteSiteBackups(connections, host, site, names),
    async claim(owner, ids) {
      requireDone(await connections.change(host, { script: claimScript, values: [owner, ...ids] }), 'note whose its sites are')
    },
    listLastBackups: () => listLastBackups(connections, host),
    deleteLastBackups: (names) => deleteLastBackups(connections, host, names),
    ...createDebianDownloads(connections, host),
  }
}

function follow(connections: Connections, host: HostAddress, jobId: string, afterLine: number, signal: AbortSignal) {
  const source = {
    watch: (after: number) => ({ script: watchScript, values: [jobId, String(after)] }),
    async settle(after: number) {
      const result = await connections.change(host, { script: settleScript, values: [jobId, String(after)] })
      return requireDone(result, 'check this job').stdout.trim() === 'running' ? ('running' as const) : ('ended' as const)
    },
    parse: parseSiteLine,
  }
  return withNewLogins(followLines<SiteJobLine>(source, connections, host, afterLine, signal), connections, host)
}
