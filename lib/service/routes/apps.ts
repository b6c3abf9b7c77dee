/** The apps of sites: which one a site has, and installing one as a job of the server. */
import { randomBytes } from 'node:crypto'
import type { Answer } from '@/lib/contract/operation'
import type { apps } from '@/lib/contract/operations/apps'
import { problem } from '@/lib/contract/problem'
import { Refused } from '../failure'
import { shownVersion } from '../machines/apps/entry'
import type { AppFacts } from '../machines/sites'
import type { SlowWork } from '../runs/slow-work'
import { onHost } from '../store/sites'
import { type Call, followOrStart, requireReadySite, requireSite, type Service, type SubjectChecks, type SubjectRoutes } from './call'
import { stagingChecks, stagingRoutes } from './staging'

export const appsRoutes: SubjectRoutes<typeof apps> = {
  get: readApp,
  install: installApp,
  ...stagingRoutes,
}

export const appsChecks: SubjectChecks<typeof apps> = stagingChecks

async function readApp(call: Call<typeof apps.get>): Promise<Answer<typeof apps.get>> {
  const { service } = call
  const site = await requireSite(call)
  const { domain, machine } = site
  if (site.state !== 'ready') return { item: [{ domain, app: { name: '', version: '' } }] }
  const facts = await service.appFacts.read(site.id, () => service.fleet.machine(machine).sites.findApp(onHost(site), service.catalogue))
  const catalogue = service.catalogue.map((entry) => {
    const version = shownVersion(entry, 'package' in entry.source ? (facts.packages.get(entry.source.package) ?? '') : '')
    return { app: entry.app, title: entry.title, version }
  })
  return { item: [{ domain, app: describe(service, facts, machine.provider === 'sandbox'), catalogue }] }
}

function describe({ catalogue, appUpdates }: Service, { found, php }: AppFacts, simulated: boolean) {
  const entry = found && catalogue.find(({ app }) => app === found.app)
  if (!entry) return { name: '', version: '' }
  const update = appUpdates.find(entry, found, { php, simulated })
  return { name: found.app, version: found.version, ...(update !== undefined && { update }) }
}

/** Whoever starts it gets the administrator's password, and nobody else later. */
async function installApp(call: Call<typeof apps.install>): Promise<SlowWork> {
  return followOrStart(call, { operation: 'apps.install' }, async (machine) => {
    const app = call.service.catalogue.find((entry) => entry.app === call.input.app)
    if (!app) throw new Refused(problem('not_found', { sentence: 'There is no such app in the catalogue of this service.' }))
    await requireReadySite(call)
    const password = newPassword()
    const secret = app.user === undefined ? {} : { secret: { user: app.user, password } }
    return call.service.siteRuns.run(machine, call.input.site_id, { operation: 'apps.install', ...secret }, async () => ({
      kind: 'app',
      app,
      password,
      databasePassword: newPassword(),
      site: onHost(await requireReadySite(call)),
    }))
  })
}

const newPassword = (): string => randomBytes(24).toString('base64url')
