/** Assembles the service, except for its socket, from its database and key. */
import type { Hono } from 'hono'
import { prepareDatabase } from '@/lib/database/prepare'
import { createWriteCheck } from '@/lib/database/write-check'
import { log } from '@/lib/log'
import { createCertificateRules } from './certificate-rules'
import { createDnsLookup } from './dns'
import { createDownloads } from './downloads'
import { describeFailure } from './failure'
import { createService } from './http'
import { createLocks } from './locks'
import { createDebian } from './machines/debian/machine'
import { createFleet } from './machines/fleet'
import { createSandbox } from './machines/sandbox/machine'
import type { Authority, NameCheck, SiteFacts } from './machines/sites'
import { createSummaries } from './machines/summaries'
import { createReboots } from './reboots'
import type { AnyHandler } from './routes/table'
import { createInstalls } from './runs/installs'
import { createRuns } from './runs/runs'
import { createSiteRuns } from './runs/site-runs'
import { createShared, type Shared } from './shared'
import { createSiteChecks } from './site-checks'
import { createConnections } from './ssh/connections'
import { openStore } from './store/db'
import { type MachineRow, openMachineKey } from './store/machines'
import { pruneRunLines } from './store/prune'
import { openRing } from './store/ring'
import { createSandboxStates } from './store/sandbox-states'
import { writeNothing } from './store/sql/health'
import type { Database, Store } from './store/store'

export type OpenService = {
  app: Hono
  store: Store
  /** Resumes the runs that were active when the service stopped. */
  takeUp(): Promise<void>
  /** Ends streams, SSH connections and the database connection. Slow work continues on the servers. */
  close(): Promise<void>
}

export type OpenOptions = {
  database: string
  keyFile: string
  /** The duration of one unit of a simulated install, milliseconds. */
  sandboxPaceMs?: number
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
  /** By operation id; replaces the standard handlers in tests. */
  handlers?: ReadonlyMap<string, AnyHandler>
}

const lockPatienceMs = 10_000

/** Throws DatabaseError or KeyFileError, each with one line for the operator. */
export async function openService({
  database,
  keyFile,
  sandboxPaceMs,
  silenceMs = 15_000,
  summarySharedMs = 5000,
  siteChecksMs = 5 * 60_000,
  dnsServers = [],
  authority = { directory: '', roots: '', contact: '' },
  handlers,
}: OpenOptions): Promise<OpenService> {
  const { applied } = await prepareDatabase({ file: database, schema: 'service' })
  if (applied.length > 0) log.info({ applied }, 'migrations applied')
  const db = openStore(database)
  const store: Store = { db, ring: await openRing(db, keyFile) }
  const connections = createConnections()
  const fleet = createFleet<MachineRow>({
    ssh: createDebian({ connections }),
    sandbox: createSandbox({ states: createSandboxStates(store), ...(sandboxPaceMs === undefined ? {} : { paceMs: sandboxPaceMs }) }),
    openKey: (row) => openMachineKey(store, row),
  })
  const locks = createLocks(lockPatienceMs)
  const siteChecks = createSiteChecks({ store, fleet, log, lookUpDns: createDnsLookup(dnsServers), everyMs: siteChecksMs })
  const siteFacts: Shared<SiteFacts | undefined> = createShared(summarySharedMs)
  // Only simultaneous callers share a check: “Check again” asks for a new one.
  const nameChecks: Shared<NameCheck[]> = createShared(0)
  const forgetFindings = ({ machineId, siteId }: { machineId: string; siteId: string | null }) => {
    siteChecks.forget(machineId)
    void siteChecks.refresh(machineId)
    if (siteId === null) return
    siteFacts.forget(siteId)
    nameChecks.forget(siteId)
  }
  const runs = createRuns({ store, fleet, log, silenceMs, onEnd: forgetFindings })
  const app = createService({
    store,
    fleet,
    runs,
    installs: createInstalls({ store, fleet, locks, runs }),
    locks,
    siteRuns: createSiteRuns({ store, fleet, locks, runs, authority, patienceMs: lockPatienceMs }),
    certificateRules: createCertificateRules(authority, dnsServers),
    siteChecks,
    siteFacts,
    nameChecks,
    summaries: createSummaries(summarySharedMs),
    reboots: createReboots(),
    downloads: createDownloads({ store, fleet, log }),
    log,
    canWrite: createWriteCheck(database, () => writeNothing(db), tellWritable(database)),
    ...(handlers && { handlers }),
  })
  const pruning = pruneNowAndThen(db)
  const close = async () => {
    clearInterval(pruning)
    await Promise.all([runs.stop(), siteChecks.stop()])
    await connections.close()
    await db.$disconnect()
  }
  return { app, store, takeUp: runs.takeUp, close }
}

const tellWritable = (database: string) => (writable: boolean) => {
  if (writable) log.info('the database accepts writes again')
  else log.error({ database }, 'the database rejects writes: it is locked, or its disk is full')
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
