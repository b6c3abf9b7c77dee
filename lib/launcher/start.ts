/** Starts portal and service together, or the portal alone, and prints the address to open. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { getSettings, type Settings } from '@/lib/settings/settings'
import { reportReady } from '@/lib/systemd'
import { bringUpPortal, bringUpService, isPortalLive } from './bring-up'
import { ConfigurationError, checkSettings } from './checks'
import { builtHalves, type Halves, program, watchedHalves } from './halves'
import { type Installed, listenForHandOver } from './hand-over'
import { noteStart } from './last-start'
import type { ProcessGroup } from './process-group'
import type { Made } from './ready.mjs'
import { type BroughtUp, supervise } from './supervise'

/** What a release starts. version: of the release. installed: null if no upgrade can ask it for a stop */
export type ReleaseStart = Made & { version: string; installed: Installed | null }

/** The part of `gatehouse up` after installing and building. Ends the process itself. */
export const start = (made: Made): Promise<void> => supervise((group) => bringUpBoth(made, builtHalves(made), group))

/** Everything `gatehouse up` of a release does. */
export const startRelease = (release: ReleaseStart): Promise<void> =>
  supervise(async (group) => {
    endWithParent()
    const { children } = await bringUpBoth(release, builtHalves(release), group)
    const { portalDatabase, dataDir } = getSettings()
    noteStart(portalDatabase, release.version)
    return { children, handOver: release.installed ? await listenForHandOver(dataDir, release.installed) : null }
  })

/** Everything `gatehouse portal` of a release does. */
export const startReleasedPortal = (release: ReleaseStart): Promise<void> =>
  supervise(async (group) => {
    const brought = await bringUpAlone(release, group)
    noteStart(getSettings().portalDatabase, release.version)
    return brought
  })

/** A successor has a channel to the process that keeps it. */
function endWithParent(): void {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
}

/** Everything `npm run dev` does. */
export const startWatched = (made: Made): Promise<void> => supervise((group) => bringUpBoth(made, watchedHalves(made), group))

/** Everything `gatehouse portal` does after installing and building. */
export const startPortalAlone = (made: Made): Promise<void> => supervise((group) => bringUpAlone(made, group))

async function bringUpBoth(made: Made, halves: Halves, group: ProcessGroup): Promise<BroughtUp> {
  const { settings, portalEnv, serviceEnv } = await checkSettings({ withService: true })
  const bundled = settings.upstreamUrl ? null : bringUpService(settings, serviceEnv, halves, group)
  // Creates a key only once the service responds, because its database is ready then.
  const obtainKey = async () => {
    await bundled?.answers
    return createServiceKey(serviceEnv, made, group.stopping)
  }
  const bringingUp = bringUpPortal(settings, portalEnv, [], obtainKey, halves, group)
  const [{ portal, prepared }] = await Promise.all([bringingUp, bundled?.answers])
  const { setupLink, notes } = prepared
  process.stdout.write(`\nGatehouse is at ${settings.publicUrl.origin}\n`)
  if (setupLink) process.stdout.write(`Create the owner account (the link works once): ${setupLink}\n`)
  for (const note of notes) process.stdout.write(`${note}\n`)
  process.stdout.write('\n')
  return { children: bundled ? [bundled.service, portal] : [portal], handOver: null }
}

/** The output of a portal alone goes to a journal that others may read, so only `gatehouse owner setup` prints the set-up link. */
async function bringUpAlone(made: Made, group: ProcessGroup): Promise<BroughtUp> {
  const { settings, portalEnv } = await checkSettings({ withService: false })
  const obtainKey = async () => readServiceKey(settings)
  const { portal, prepared } = await bringUpPortal(settings, portalEnv, ['--without-link'], obtainKey, builtHalves(made), group)
  const { ownerExists, notes } = prepared
  process.stdout.write(`Gatehouse is at ${settings.publicUrl.origin}\n`)
  for (const note of notes) process.stdout.write(`${note}\n`)
  if (!ownerExists) process.stdout.write('There is no account yet: ./gatehouse owner setup prints the link for the first one.\n')
  await reportReady(() => isPortalLive(settings))
  return { children: [portal], handOver: null }
}

/** The key passes from the service's command to the portal only through this process's memory. */
async function createServiceKey(env: NodeJS.ProcessEnv, made: Made, signal: AbortSignal): Promise<string> {
  const args = [...program(made, 'service-keys'), 'create', '--account', 'portal']
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, signal })
  return stdout.trim()
}

function readServiceKey({ serviceKeyFile }: Settings): string {
  if (serviceKeyFile === null) {
    throw new ConfigurationError(
      'The portal needs an API key of the service: create one with ./gatehouse keys --service create --account portal, and set SERVICE_KEY_FILE to a file that holds it.',
    )
  }
  try {
    return readFileSync(serviceKeyFile, 'utf8').trim()
  } catch {
    throw new ConfigurationError(`The file ${serviceKeyFile} cannot be read. Fix its owner, or set SERVICE_KEY_FILE to another one.`)
  }
}
