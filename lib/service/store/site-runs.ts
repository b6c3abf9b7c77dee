/** Runs of work on sites: each is stored before the work starts, together with what it means for the site. */
import { randomUUID } from 'node:crypto'
import type { SiteOnHost } from '../machines/sites'
import { ofAccount } from './machines'
import { type Run, type SiteOperation, toRun, toRunOrNull } from './run'
import { type RunSecret, sealSecret } from './run-secrets'
import { nextRunNumber } from './runs'
import type { Store } from './store'

export type { SiteOperation }

const operations: { readonly [Kind in 'create' | 'delete' | 'pull']: SiteOperation } = {
  create: 'sites.create',
  delete: 'sites.delete',
  pull: 'apps.pull',
}

/** domain: the name that the work is about. */
async function newRun(store: Store, machineId: string, operation: SiteOperation, site: SiteOnHost, domain = site.domain) {
  const number = await nextRunNumber(store, machineId)
  return { id: randomUUID(), machineId, number, operation, siteId: site.id, domain, state: 'running' as const }
}

/** Writes a new site and the run that creates it. */
export async function createCreation(store: Store, machineId: string, site: SiteOnHost): Promise<Run> {
  const data = await newRun(store, machineId, operations.create, site)
  const { id, name, domain, aliases } = site
  const [, run] = await store.db.$transaction([
    store.db.site.create({
      data: { id, machineId, name, domain, state: 'creating', aliases: { create: aliases.map((alias) => ({ domain: alias })) } },
    }),
    store.db.run.create({ data }),
  ])
  return toRun(run)
}

/** Marks a site as being deleted, and writes the run that deletes it. */
export async function createDeletion(store: Store, machineId: string, site: SiteOnHost): Promise<Run> {
  const data = await newRun(store, machineId, operations.delete, site)
  const [, run] = await store.db.$transaction([
    store.db.site.update({ where: { id: site.id }, data: { deleting: true } }),
    store.db.run.create({ data }),
  ])
  return toRun(run)
}

/**
 * Writes the run of any other operation. What changes of the site follows at its end (run-end.ts), or is read from the server.
 * about: the name that the work is about, if it is not the site's domain. secret: what its answer shows.
 */
export async function createSiteRun(
  store: Store,
  machineId: string,
  operation: SiteOperation,
  site: SiteOnHost,
  { about, secret }: { about?: string | undefined; secret?: RunSecret | undefined } = {},
): Promise<Run> {
  const data = await newRun(store, machineId, operation, site, about)
  return toRun(await store.db.run.create({ data: { ...data, ...(secret && { result: await sealSecret(store, data.id, secret) }) } }))
}

/** Writes the run of a pull, and the staging copy that it makes if there is none. The copy has no aliases. secret: what the answer shows. */
export async function createPull(
  store: Store,
  machineId: string,
  { site, copy }: { site: SiteOnHost; copy: SiteOnHost },
  secret: RunSecret | undefined,
): Promise<Run> {
  const { id, name, domain } = copy
  const data = await newRun(store, machineId, operations.pull, site, domain)
  const made = { id, machineId, name, domain, state: 'creating' as const, stagingOf: site.id }
  const [, run] = await store.db.$transaction([
    store.db.site.upsert({ where: { id }, create: made, update: {} }),
    store.db.run.create({ data: { ...data, ...(secret && { result: await sealSecret(store, data.id, secret) }) } }),
  ])
  return toRun(run)
}

/** Undoes each of these, for work that the server certainly did not begin. */
export async function withdrawRun(store: Store, { id, operation, siteId }: Run): Promise<void> {
  const site = { where: { id: siteId ?? '' } }
  await store.db.$transaction([
    ...(operation === operations.create ? [store.db.site.deleteMany(site)] : []),
    ...(operation === operations.pull ? [store.db.site.deleteMany(unfinishedCopy(siteId))] : []),
    ...(operation === operations.delete ? [store.db.site.updateMany({ ...site, data: { deleting: false } })] : []),
    store.db.run.deleteMany({ where: { id } }),
  ])
}

/** A copy that no pull has made yet. */
const unfinishedCopy = (siteId: string | null) => ({
  where: { stagingOf: siteId ?? '', state: 'creating' as const, NOT: { stagingOf: '' } },
})

/** Finds the newest run of an operation among the account's servers; also if the site no longer exists. */
export async function findNewestSiteRun(
  store: Store,
  accountId: string,
  which: { operation: SiteOperation; siteId?: string; machineId?: string; domain?: string },
): Promise<Run | null> {
  return toRunOrNull(await store.db.run.findFirst({ where: { ...which, machine: ofAccount(accountId) }, orderBy: { number: 'desc' } }))
}

/** Those of the ids that are of sites which another account had work on. */
export async function findSitesOfOthers(store: Store, accountId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const where = { siteId: { in: [...ids] }, machine: { NOT: { accountId } } }
  const runs = await store.db.run.findMany({ where, select: { siteId: true }, distinct: ['siteId'] })
  return new Set(runs.flatMap(({ siteId }) => siteId ?? []))
}
