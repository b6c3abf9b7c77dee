/** The service put together on its database and key: everything but the socket. */
import type { Hono } from 'hono'
import { prepareDatabase } from '@/lib/database/prepare'
import { log } from '@/lib/log'
import { createService } from './http'
import { createInstalls } from './installs/installs'
import { createLocks } from './locks'
import { createDebian } from './machines/debian/machine'
import { createFleet } from './machines/fleet'
import { createSandbox } from './machines/sandbox/machine'
import { createSummaries } from './machines/summaries'
import type { AnyHandler } from './routes/table'
import { createConnections } from './ssh/connections'
import { openStore } from './store/db'
import { type MachineRow, openMachineKey } from './store/machines'
import { openRing } from './store/ring'
import { createSandboxStates } from './store/sandbox-states'
import type { Store } from './store/store'

export type OpenService = {
  app: Hono
  store: Store
  /** Takes up the installs that were under way when the service ended. */
  takeUp(): Promise<void>
  /** Leaves what runs on the machines running. Ends streams, SSH connections and the database's. */
  close(): Promise<void>
}

export type OpenOptions = {
  database: string
  keyFile: string
  /** How long a unit of a simulated install takes, milliseconds. */
  sandboxPaceMs?: number
  /** After this long without a line of an install, milliseconds, an event says that it goes on. */
  silenceMs?: number
  /** How long a summary is shared with those who ask after it, milliseconds. */
  summarySharedMs?: number
  /** By operation id, instead of the table's. */
  handlers?: ReadonlyMap<string, AnyHandler>
}

const lockPatienceMs = 10_000

/** Throws DatabaseError or KeyFileError: one line for the operator each. */
export async function openService({
  database,
  keyFile,
  sandboxPaceMs,
  silenceMs = 15_000,
  summarySharedMs = 5000,
  handlers,
}: OpenOptions): Promise<OpenService> {
  await prepareDatabase({ file: database, schema: 'service' })
  const db = openStore(database)
  const store: Store = { db, ring: await openRing(db, keyFile) }
  const connections = createConnections()
  const fleet = createFleet<MachineRow>({
    ssh: createDebian({ connections }),
    sandbox: createSandbox({ states: createSandboxStates(store), ...(sandboxPaceMs === undefined ? {} : { paceMs: sandboxPaceMs }) }),
    openKey: (row) => openMachineKey(store, row),
  })
  const locks = createLocks(lockPatienceMs)
  const installs = createInstalls({ store, fleet, locks, log, silenceMs })
  const app = createService({
    store,
    fleet,
    installs,
    locks,
    summaries: createSummaries(summarySharedMs),
    log,
    ...(handlers && { handlers }),
  })
  const close = async () => {
    await installs.stop()
    await connections.close()
    await db.$disconnect()
  }
  return { app, store, takeUp: installs.takeUp, close }
}
