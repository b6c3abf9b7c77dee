/** Checks sites in the background: their size, whether they are served, and what DNS says. Lists are answered from what is stored. */

import type { LookUpDns } from './dns'
import { describeFailure } from './failure'
import type { CatalogueEntry } from './machines/apps/entry'
import type { Fleet } from './machines/fleet'
import type { SiteFacts } from './machines/sites'
import type { MachineRow } from './store/machines'
import { listSitesToCheck, noteFindings, onHost, type SiteFindings, type SiteRow } from './store/sites'
import type { Store } from './store/store'

export type SiteChecks = {
  /** Starts a check of the sites of a server whose last one is old enough; resolves when it has ended. Never throws. */
  refresh(machineId: string): Promise<void>
  /**
   * After work on a site; null: on the server as a whole. Makes the next `refresh` look for sites without a check, such as a new one. A check
   * that is running is followed by another of what the work may have changed.
   */
  forget(machineId: string, siteId: string | null): void
  /** Ends when the running checks have. */
  stop(): Promise<void>
}

export type SiteChecksOptions = {
  store: Store
  fleet: Fleet<MachineRow>
  log: { warn(details: object, message: string): void }
  lookUpDns: LookUpDns
  /** The apps that sites may have. */
  catalogue: readonly CatalogueEntry[]
  everyMs: number
}

/** How many names are looked up at once. */
const batchSize = 20

export function createSiteChecks({ store, fleet, log, lookUpDns, catalogue, everyMs }: SiteChecksOptions): SiteChecks {
  const begunAt = new Map<string, number>()
  const running = new Map<string, Promise<void>>()
  /** By server, on what some work ended while a check was running: what the check has read may be older. */
  const overtaken = new Map<string, readonly (string | null)[]>()
  let stopped = false

  /** changed: sites that are checked in any case; null among them: all are. */
  const check = async (machineId: string, changed: readonly (string | null)[]) => {
    const before = new Date(Date.now() - (changed.includes(null) ? 0 : everyMs))
    const [machine, sites] = await Promise.all([
      store.db.machine.findFirst({ where: { id: machineId, removedAt: null } }),
      listSitesToCheck(store, machineId, { before, changed: changed.filter((id) => id !== null) }),
    ])
    if (!machine || sites.length === 0) return
    const facts = await readFacts(fleet, { machine, sites, catalogue }).catch((error: unknown) => {
      log.warn({ server: machineId, ...describeFailure(error) }, 'the sites of a server could not be checked')
      return null
    })
    for (let done = 0; done < sites.length && !stopped; done += batchSize) {
      const batch = sites.slice(done, done + batchSize)
      const found = batch.map(async ({ id, name, domain, aliases }) => {
        const [names, ...ofAliases] = await Promise.all(
          [domain, ...aliases.map((alias) => alias.domain)].map((each) => lookUpDns(machine, each)),
        )
        const named = aliases.map((alias, index) => ({ domain: alias.domain, findings: ofAliases[index] ?? {} }))
        return { id, findings: { ...facts?.get(name), ...names }, aliases: named }
      })
      await noteFindings(store, await Promise.all(found))
    }
  }

  const checkUntilFresh = async (machineId: string) => {
    overtaken.delete(machineId)
    await check(machineId, [])
    for (let changed = overtaken.get(machineId); changed && !stopped; changed = overtaken.get(machineId)) {
      overtaken.delete(machineId)
      await check(machineId, changed)
    }
  }

  return {
    refresh(machineId) {
      const known = running.get(machineId)
      if (known || stopped || Date.now() - (begunAt.get(machineId) ?? Number.NEGATIVE_INFINITY) < everyMs) return known ?? Promise.resolve()
      begunAt.set(machineId, Date.now())
      const work = checkUntilFresh(machineId)
        .catch((error: unknown) => log.warn({ server: machineId, ...describeFailure(error) }, 'what a check found could not be stored'))
        .finally(() => running.delete(machineId))
      running.set(machineId, work)
      return work
    },
    forget(machineId, siteId) {
      begunAt.delete(machineId)
      if (running.has(machineId)) overtaken.set(machineId, [...(overtaken.get(machineId) ?? []), siteId])
    },
    async stop() {
      stopped = true
      await Promise.all(running.values())
    },
  }
}

/**
 * By site name. A site that is not on the server has no usage and is not served. One that was not asked, because others took too long, has no
 * findings, so the next check asks for it first.
 */
async function readFacts(
  fleet: Fleet<MachineRow>,
  { machine, sites, catalogue }: { machine: MachineRow; sites: readonly SiteRow[]; catalogue: readonly CatalogueEntry[] },
): Promise<Map<string, SiteFindings>> {
  const facts = await fleet.machine(machine).sites.facts(sites.map(onHost), catalogue)
  const checkedAt = new Date()
  return new Map(
    sites.map(({ name }) => {
      const known = facts.get(name)
      if (known === null) return [name, {}]
      const { ssl = false, answers = false, certificate, backupAt = null } = known ?? {}
      const usage = known?.usedBytes?.toFixed(0) ?? ''
      const php = known?.settings?.php ?? ''
      return [name, { usage, answers, ssl, expires: certificate?.expires ?? '', php, backupAt, ...appColumns(known?.app), checkedAt }]
    }),
  )
}

/** Both are empty for a site without an app, and absent if no app was looked for. */
const appColumns = (found: SiteFacts['app']): Pick<SiteFindings, 'app' | 'appVersion'> =>
  found === undefined ? {} : { app: found?.app ?? '', appVersion: found?.version ?? '' }
