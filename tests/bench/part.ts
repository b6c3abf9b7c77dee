/** One part of the bench, in its own process, so that a part does not affect the next one. */
import { type Estate, openEstate } from '../browser/security/estate'
import { measureBackupList } from './backup-list'
import { measureChanges } from './changes'
import { measureFanOut } from './fan-out'
import { measureFleetStates } from './fleet-states'
import { measureGrants } from './grants'
import { measureLighthouse } from './lighthouse'
import { measureList } from './list'
import { measurePages } from './pages'
import { measurePeople } from './people'
import { measurePhpQueue } from './php-queue'
import { measurePolling } from './polling'
import { measureReach } from './reach'
import { measureReads } from './reads'
import type { Section } from './report'
import { measureSeveralPortals } from './several-portals'
import { measureSignIns } from './sign-ins'
import { measureSiteData } from './site-data'
import { measureSiteList } from './site-list'
import { measureSites } from './sites'
import { measureStart } from './start'
import { measureSummary } from './summary'
import { measureTeamPage } from './team-page'

async function withEstate(measure: (estate: Estate) => Promise<Section>, environment: Record<string, string> = {}): Promise<Section> {
  const manner = { msPerLine: 100, installLines: 250, stamped: true }
  await using estate = await openEstate(process.cwd(), manner, { LOG_LEVEL: 'info', ...environment })
  // Awaited here: the estate is taken down as soon as this function is left.
  return await measure(estate)
}

const parts: Record<string, () => Promise<Section>> = {
  start: measureStart,
  people: measurePeople,
  reads: () => withEstate(measureReads),
  'several-portals': measureSeveralPortals,
  'sign-ins': () => withEstate(measureSignIns, { TRUSTED_PROXIES: '127.0.0.1' }),
  team: () => withEstate(measureTeamPage),
  reach: () => withEstate(measureReach),
  'fan-out': () => withEstate(measureFanOut),
  grants: () => withEstate(measureGrants),
  list: measureList,
  'site-list': measureSiteList,
  'backup-list': measureBackupList,
  'fleet-states': () => withEstate(measureFleetStates),
  polling: measurePolling,
  pages: measurePages,
  lighthouse: measureLighthouse,
  summary: measureSummary,
  changes: measureChanges,
  sites: measureSites,
  'site-data': measureSiteData,
  'php-queue': measurePhpQueue,
}

const measure = parts[process.argv[2] ?? '']
if (!measure) throw new Error(`There is no part ${process.argv[2]}.`)
process.send?.(await measure(), () => process.exit(0))
