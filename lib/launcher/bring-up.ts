/** Starts portal and service as children of the launcher, prepares them, and waits until they respond. */
import { setTimeout as delay } from 'node:timers/promises'
import { configurationError } from '@/lib/exit-codes.mjs'
import type { StartMessage } from '@/lib/portal/entry/launcher-channel'
import type { Settings } from '@/lib/settings/settings'
import { ConfigurationError } from './checks'
import type { Child } from './child'
import type { Halves } from './halves'
import type { ProcessGroup } from './process-group'
import { AlreadyReported } from './supervise'

export type Prepared = Extract<StartMessage, { kind: 'prepared' }>

/** The service's process, and a promise that resolves when it responds. */
export function bringUpService(
  settings: Settings,
  env: NodeJS.ProcessEnv,
  halves: Halves,
  group: ProcessGroup,
): { service: Child; answers: Promise<void> } {
  const service = group.begin('service', halves.service, env)
  return { service, answers: answering(`http://127.0.0.1:${settings.servicePort}/api/health`, service, halves.mode) }
}

/**
 * Starts the portal; resolves with its process and what it found in its database when it responds. Calls `obtainKey` for the service's API key only
 * if the portal has no working one; the key passes only through memory and the IPC channel. Rejects with a refusal as one line.
 */
export async function bringUpPortal(
  settings: Settings,
  env: NodeJS.ProcessEnv,
  flags: readonly string[],
  obtainKey: () => Promise<string>,
  halves: Halves,
  group: ProcessGroup,
): Promise<{ portal: Child; prepared: Prepared }> {
  const { mode, portal: own } = halves
  const main = [...own.program, settings.host, String(settings.port), ...own.build, ...flags]
  const { log } = await import('@/lib/log')
  // In development Next's own output is passed through.
  const wrapping = mode === 'production' ? log : undefined
  // On PostgreSQL it still serves until balancers have noticed that it ends.
  const graceMs = settings.portalPostgresql ? 28_000 : undefined
  const portal = group.begin('portal', main, { ...env, NODE_ENV: mode, NEXT_TELEMETRY_DISABLED: '1' }, wrapping, graceMs)
  const prepared = await hearPrepared(portal, obtainKey)
  await answering(`${portalAddress(settings)}/api/health`, portal, mode)
  return { portal, prepared }
}

/** Where this machine reaches the portal. */
function portalAddress({ host, port }: Settings): string {
  const reach = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${reach.includes(':') ? `[${reach}]` : reach}:${port}`
}

/** Whether the portal's process answers within ten seconds, whatever the state of its database. */
export const isPortalLive = (settings: Settings): Promise<boolean> =>
  fetch(`${portalAddress(settings)}/api/health/live`, { signal: AbortSignal.timeout(10_000) }).then(
    (response) => response.ok,
    () => false,
  )

/** After how long a slow start is reported, in milliseconds. In development Next reports what it compiles. */
const silentMs = { production: 20_000, development: 120_000 }

/** Polls a health address until it answers 200. Throws if the process ends first. */
async function answering(url: string, child: Child, mode: Halves['mode']): Promise<void> {
  let code: number | null = null
  child.ended.then((ended) => {
    code = ended
  })
  const silentUntil = Date.now() + silentMs[mode]
  let told = false
  for (;;) {
    // Gatehouse's programs exit with one of these after printing the reason; any other code came from outside.
    if (code === 1 || code === configurationError) throw new AlreadyReported(code)
    if (code !== null) throw new Error(`The ${child.name} did not start.`)
    const ready = await fetch(url, { signal: AbortSignal.timeout(2000) }).then(
      (response) => response.ok,
      () => false,
    )
    if (ready) return
    if (!told && Date.now() > silentUntil) {
      told = true
      process.stderr.write(`The ${child.name} is running but not ready yet. See its log; the database may be locked or the disk full.\n`)
    }
    await delay(50)
  }
}

function hearPrepared(portal: Child, obtainKey: () => Promise<string>): Promise<Prepared> {
  return new Promise((resolve, reject) => {
    const sendKey = async () => portal.process.send({ key: await obtainKey() })
    portal.process.on('message', (message: StartMessage) => {
      if (message.kind === 'prepared') resolve(message)
      if (message.kind === 'refused') {
        reject(message.isConfiguration ? new ConfigurationError(message.sentence) : new Error(message.sentence))
      }
      if (message.kind === 'key-wanted') sendKey().catch(reject)
    })
    portal.ended.then(() => reject(new Error('The portal could not be prepared.')))
  })
}
