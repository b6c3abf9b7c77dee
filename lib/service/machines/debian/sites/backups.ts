/** Backups of the sites of a real server, and archives to be downloaded. */
import { problem } from '@/lib/contract/problem'
import { MachineFailure } from '@/lib/service/machines/machine'
import { parseLastBackups, parseSiteBackups } from '@/lib/service/machines/site-backups'
import type { LastBackup, SiteBackup, SiteOnHost, Sites } from '@/lib/service/machines/sites'
import type { Connections } from '@/lib/service/ssh/connections'
import { CutConnection, unreachable } from '@/lib/service/ssh/failure'
import type { HostAddress } from '@/lib/service/ssh/host-address'
import { requireDone } from '../require-done'
import { readScript } from '../script'
import { isAbsent, requireThere } from './names'

const listScript = readScript('sites/backups.bash')
const deleteScript = readScript('sites/delete-backups.bash')
const listLastScript = readScript('sites/last-backups.bash')
const deleteLastScript = readScript('sites/delete-last-backups.bash')
const sendScript = readScript('sites/send-download.bash')
const removeScript = readScript('sites/remove-download.bash')

const downloadSeconds = 60 * 60

export async function listSiteBackups(connections: Connections, host: HostAddress, site: SiteOnHost): Promise<SiteBackup[]> {
  const result = requireThere(await connections.read(host, { script: listScript, values: valuesOf(site) }))
  return parseSiteBackups(requireDone(result, 'list the backups').stdout)
}

export async function deleteSiteBackups(
  connections: Connections,
  host: HostAddress,
  site: SiteOnHost,
  names: readonly string[],
): Promise<void> {
  const result = requireThere(await connections.change(host, { script: deleteScript, values: [...valuesOf(site), ...names] }))
  requireDone(result, 'delete the backups')
}

export async function listLastBackups(connections: Connections, host: HostAddress): Promise<LastBackup[]> {
  return parseLastBackups(requireDone(await connections.read(host, { script: listLastScript }), 'list the last backups').stdout)
}

export async function deleteLastBackups(connections: Connections, host: HostAddress, names: readonly string[]): Promise<void> {
  requireDone(await connections.change(host, { script: deleteLastScript, values: names }), 'delete the backups')
}

const valuesOf = ({ id, name, domain }: SiteOnHost): string[] => [id, name, domain]

export function createDebianDownloads(connections: Connections, host: HostAddress): Pick<Sites, 'readDownload' | 'removeDownload'> {
  return {
    async *readDownload(jobId, fromByte, signal) {
      const request = { script: sendScript, values: [jobId, String(fromByte)], timeoutSeconds: downloadSeconds }
      try {
        const code = yield* connections.streamBytes(host, request, signal)
        if (code === isAbsent)
          throw new MachineFailure(problem('changed_meanwhile', { sentence: 'The archive is gone. Prepare another one.' }))
      } catch (error) {
        throw error instanceof CutConnection ? unreachable(host, error) : error
      }
    },
    async removeDownload(jobId) {
      requireDone(await connections.change(host, { script: removeScript, values: [jobId] }), 'delete the archive')
    },
  }
}
