/** The service as a process: started by the launcher or alone, ended by a signal. */
import { ClaimError } from '@/lib/database/claim'
import { DatabaseError } from '@/lib/database/database-error'
import { claimPlace, servicePlace } from '@/lib/database/place'
import { configurationError } from '@/lib/exit-codes.mjs'
import { log } from '@/lib/log'
import { KeyFileError } from '@/lib/sealing/key-file'
import { findMisspelt, getSettings, SettingsError } from '@/lib/settings/settings'
import { reportReady } from '@/lib/systemd'
import { readVersion } from '@/lib/version'
import { describeFailure } from './failure'
import { type Listening, listen, PortError } from './listen'
import { CatalogueError } from './machines/apps/catalogue'
import { type OpenService, openService } from './open'
import { backUpService } from './own-backups'

/** Failures whose message is for the operator; for any other failure only its kind is printed. */
const expected = [SettingsError, DatabaseError, ClaimError, KeyFileError, PortError, CatalogueError]

async function start(): Promise<{ service: OpenService; listening: Listening }> {
  const { serviceKekFile, servicePort, dnsServers, certificateAuthority: authority, appsFolder, appUpdates, backup } = getSettings()
  const database = servicePlace(getSettings())
  claimPlace(database)
  const keyFile = serviceKekFile
  const service = await openService({ database, keyFile, dnsServers, authority, appsFolder, appUpdates, backup })
  const listening = await listen(service.app, servicePort)
  await service.takeUp()
  backUpService(service.store.db, getSettings())
  log.info({ port: listening.port, version: readVersion(), node: process.version }, 'the service listens')
  return { service, listening }
}

/** Ends streams first, because an open stream would keep the socket from closing. */
async function stop({ service, listening }: Awaited<ReturnType<typeof start>>): Promise<void> {
  const closing = listening.close()
  await service.close()
  await closing
}

function requireExit(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => resolve())
    // The launcher's IPC channel closes when the launcher ends; then the service ends too.
    process.once('disconnect', () => resolve())
  })
}

try {
  const exit = requireExit()
  // The launcher, which has the other end of this channel, has named them.
  if (!process.channel) for (const sentence of findMisspelt()) process.stdout.write(`${sentence}\n`)
  const running = await start()
  // The launcher, if there is one, reports for both. That this process gets to report is the sign of life: nothing blocks its event loop.
  if (!process.channel) await reportReady(async () => true)
  await exit
  await stop(running)
  process.exit(0)
} catch (error) {
  const known = error instanceof Error && expected.some((kind) => error instanceof kind)
  process.stderr.write(`${known ? error.message : `The service could not be started: ${JSON.stringify(describeFailure(error))}`}\n`)
  process.exit(known ? configurationError : 1)
}
