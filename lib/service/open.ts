/** Assembles the service, except for its socket, from its database and key. */
import type { Hono } from 'hono'
import { type DatabasePlace, describePlace } from '@/lib/database/place'
import { preparePlace } from '@/lib/database/prepare-place'
import { createWriteCheck } from '@/lib/database/write-check'
import { log } from '@/lib/log'
import type { BackupSettings } from '@/lib/settings/backup'
import { createAppUpdates } from './app-updates'
import { createBackground } from './background'
import { createCertificateRules } from './certificate-rules'
import { createDnsLookup, createMailLookup } from './dns'
import { createDownloads } from './downloads'
import { describeFailure } from './failure'
import { createService } from './http'
import { createLocks } from './locks'
import { readCatalogue } from './machines/apps/catalogue'
import { createDebian } from './machines/debian/machine'
import { createFleet } from './machines/fleet'
import { createSandbox } from './machines/sandbox/machine'
import type { AppFacts, Authority, NameCheck, SiteFacts } from './machines/sites'
import type { StagingFacts } from './machines/staged'
import { createSummaries } from './machines/summaries'
import type { SiteTraffic } from './machines/traffic'
import type { Vitals } from './machines/vitals'
import type { MailFindings } from './mail-records'
import { createNightlyUpgrades } from './nightly-upgrades'
import { describeBackups } from './own-backups'
import { createReboots } from './reboots'
import { checkMaintenance } from './restic/check-maintenance'
import { createPruner } from './restic/prune'
import type { AnyHandler } from './routes/table'
import { createRuns } from './runs/runs'
import { createServerRuns } from './runs/server-runs'
import { createSiteRuns } from './runs/site-runs'
import { createShared, type Shared } from './shared'
import { createSiteChecks } from './site-checks'
import { createConnections } from './ssh/connections'
import { openStore } from './store/db'
import { type MachineRow, openMachineKey } from './store/machines'
import { pruneRunLines } from './store/prune'
import { openRing } from './store/ring'
import { forgetSecrets } from './store/run-secrets'
import { createSandboxStates } from './store/sandbox-states'
import { writeNothing } from './store/sql/health'
import type { Database, Store } from './store/store'

/** Shorter than the interval at which a page asks, so that each of its reads has new counts. */
const vitalsSharedMs = 4000

export type OpenService = {
  app: Hono
  store: Store
  /** Resumes the runs that were active when the service stopped. */
  takeUp(): Promise<void>
  /** What it begins at night, as if it were that time. */
  beginNight(now: Date): Promise<void>
  /** Ends streams, SSH connections and the database connection. Slow work continues on the servers. */
  close(): Promise<void>
}

export type OpenOptions = {
  database: DatabasePlace
  keyFile: string
  /** The duration of one unit of a simulated install, milliseconds. */
  sandboxPaceMs?: number
  /** What time it is on sandbox servers, milliseconds since 1970. */
  sandboxNow?: () => number
  /** After this many milliseconds without a line, an install's stream gets an event with its progress. */
  silenceMs?: number
  /** How long a summary is shared with later callers, in milliseconds. */
  summarySharedMs?: number
  /** The least time between two checks of a server's sites, in milliseconds. */
  siteChecksMs?: number
  /** Addresses of DNS resolvers; the system's own if empty. */
  dnsServers?: readonly string[]
  /** Where certificates for sites come from. */
  authority?: Authority
  /** A folder with further apps; empty for none. */
  appsFolder?: string
  /** Where apps are asked for updates instead of their own addresses; empty for these. */
  appUpdates?: string
  /** Its scheduled backups, which it reports about; null for none. */
  backup?: BackupSettings | null
  /** By operation id; replaces the standard handlers in tests. */
  handlers?: ReadonlyMap<string, AnyHandler>
}

const lockPatienceMs = 10_000
const nightlyUpgradesMs = 20 * 60_000

/** Throws DatabaseError, KeyFileError or CatalogueError, each with one line for the operator. */
export async function openService({
  database,
  keyFile,
  sandboxPaceMs,
  sandboxNow,
  silenceMs = 15_000,
  summarySharedMs = 5000,
  siteChecksMs = 5 * 60_000,
  dnsServers = [],
  authority = { directory: '', roots: '', contact: '' },
  appsFolder = '',
  appUpdates = '',
  backup = null,
  handlers,
}: OpenOptions): Promise<OpenService> {
  const catalogue = readCatalogue(appsFolder)
  const { applied } = await preparePlace(database, 'service')
  if (applied.length > 0) log.info({ applied }, 'migrations applied')
  const db = openStore(database)
  const store: Store = { db, ring: await openRing(db, keyFile) }
  const connections = createConnections()
  const pruner = createPruner()
  const fleet = createFleet<MachineRow>({
    ssh: { ...createDebian({ connections }), pruneCopies: pruner.prune, checkMaintenance },
    sandbox: createSandbox({
      states: createSandboxStates(store),
      ...(sandboxPaceMs !== undefined && { paceMs: sandboxPaceMs }),
      ...(sandboxNow && { now: sandboxNow }),
    }),
    openKey: (row) => openMachineKey(store, row),
  })
  const locks = createLocks(lockPatienceMs)
  const siteChecks = createSiteChecks({ store, fleet, log, lookUpDns: createDnsLookup(dnsServers), catalogue, everyMs: siteChecksMs })
  const siteFacts: Shared<SiteFacts | undefined> = createShared(summarySharedMs)
  // Only simultaneous callers share a check: “Check again” asks for a new one.
  const nameChecks: Shared<NameCheck[]> = createShared(0)
  const appFacts: Shared<AppFacts> = createShared(summarySharedMs)
  // They change with each visit to the site.
  const stagingFacts: Shared<StagingFacts> = createShared(0)
  const mailChecks = createBackground<MailFindings>(siteChecksMs)
  const forgetFindings = ({ machineId, siteId }: { machineId: string; siteId: string | null }) => {
    siteChecks.forget(machineId, siteId)
    void siteChecks.refresh(machineId)
    if (siteId === null) return
    siteFacts.forget(siteId)
    nameChecks.forget(siteId)
    appFacts.forget(siteId)
    mailChecks.forget(siteId)
  }
  const runs = createRuns({ store, fleet, log, silenceMs, onEnd: forgetFindings })
  const serverRuns = createServerRuns({ store, fleet, locks, runs })
  const summaries = createSummaries(summarySharedMs)
  // Each open page reads every five seconds; the server is read once for all of them.
  const vitals: Shared<Vitals> = createShared(Math.min(summarySharedMs, vitalsSharedMs))
  const traffic: Shared<SiteTraffic> = createShared(summarySharedMs)
  const app = createService({
    store,
    fleet,
    runs,
    serverRuns,
    locks,
    siteRuns: createSiteRuns({ store, fleet, locks, runs, authority, patienceMs: lockPatienceMs }),
    certificateRules: createCertificateRules(authority, dnsServers),
    siteChecks,
    siteFacts,
    nameChecks,
    appFacts,
    stagingFacts,
    vitals,
    traffic,
    appUpdates: createAppUpdates({ address: appUpdates }),
    catalogue,
    lookUpMail: createMailLookup(dnsServers),
    mailChecks,
    summaries,
    reboots: createReboots(),
    downloads: createDownloads({ store, fleet, log }),
    log,
    readBackups: () => describeBackups(db, { backup }),
    checkWrites: createWriteCheck(
      typeof database === 'string' ? database : null,
      () => writeNothing(db),
      tellWritable(describePlace(database)),
    ),
    ...(handlers && { handlers }),
  })
  const pruning = pruneNowAndThen(db)
  const forgetting = forgetNowAndThen(store)
  const nightly = createNightlyUpgrades({ store, fleet, summaries, serverRuns, log })
  const night = setInterval(() => void nightly.round(new Date()), nightlyUpgradesMs).unref()
  const close = async () => {
    clearInterval(pruning)
    clearInterval(forgetting)
    clearInterval(night)
    await Promise.all([runs.stop(), siteChecks.stop(), pruner.stop()])
    await connections.close()
    await db.$disconnect()
  }
  return { app, store, takeUp: runs.takeUp, beginNight: nightly.round, close }
}

const tellWritable = (database: string) => (writable: boolean) => {
  if (writable) log.info('the database accepts writes again')
  else log.error({ database }, 'the database rejects writes: it is locked, or its disk is full')
}

/** A failure is retried a minute later. */
function forgetNowAndThen(store: Store): NodeJS.Timeout {
  const run = () =>
    forgetSecrets(store).catch((error: unknown) => log.error(describeFailure(error), 'passwords of finished jobs could not be deleted'))
  return setInterval(() => void run(), 60_000).unref()
}

/** Runs every six hours, which also covers a service that is restarted daily. A failure is logged and retried. */
function pruneNowAndThen(db: Database): NodeJS.Timeout {
  const run = () =>
    pruneRunLines(db).then(
      (lines) => log.info({ lines }, 'old log lines were deleted'),
      (error: unknown) => log.error(describeFailure(error), 'old log lines could not be deleted'),
    )
  return setInterval(() => void run(), 6 * 60 * 60_000).unref()
}
