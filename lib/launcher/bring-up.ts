/** The two halves as children of the launcher: started, prepared, and waited for until they answer. */
import { setTimeout as delay } from 'node:timers/promises'
import type { PrepareMessage } from '@/lib/portal/prepare'
import type { Settings } from '@/lib/settings/settings'
import { type Child, startChild } from './child'

/** What starts one of the programs that `buildPrograms` made. */
export const program = (name: string) => ['--enable-source-maps', `.programs/${name}.mjs`]

export type Prepared = Extract<PrepareMessage, { kind: 'ready' }>

/** Resolves when the service answers. */
export async function bringUpService(settings: Settings, env: NodeJS.ProcessEnv, children: Child[]): Promise<void> {
  const service = startChild('service', program('service-main'), env)
  children.push(service)
  await answering(`http://127.0.0.1:${settings.servicePort}/api/health`, service)
}

/** Resolves when the prepared portal answers. */
export async function bringUpPortal(settings: Settings, env: NodeJS.ProcessEnv, children: Child[]): Promise<void> {
  const next = ['node_modules/next/dist/bin/next', 'start', '-H', settings.host, '-p', String(settings.port)]
  const { log } = await import('@/lib/log')
  const portal = startChild('portal', next, { ...env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' }, log)
  children.push(portal)
  const reach = settings.host === '0.0.0.0' || settings.host === '::' ? '127.0.0.1' : settings.host
  await answering(`http://${reach.includes(':') ? `[${reach}]` : reach}:${settings.port}/api/health`, portal)
}

/** Polls a health address until it answers 200. Throws when the process ends first: it has said why itself. */
async function answering(url: string, child: Child): Promise<void> {
  let ended = false
  child.ended.then(() => {
    ended = true
  })
  for (;;) {
    if (ended) throw new Error(`The ${child.name} did not start.`)
    const ready = await fetch(url, { signal: AbortSignal.timeout(2000) }).then(
      (response) => response.ok,
      () => false,
    )
    if (ready) return
    await delay(50)
  }
}

/**
 * Runs the portal's preparation. `obtainKey` is asked for the service's API key only when the portal has none that works;
 * the key goes through memory and the process channel alone. Rejects with the refusal as one line.
 */
export function preparePortal(env: NodeJS.ProcessEnv, flags: readonly string[], obtainKey: () => Promise<string>): Promise<Prepared> {
  const child = startChild('preparation', ['--conditions=react-server', ...program('portal-prepare'), ...flags], env)
  return new Promise((resolve, reject) => {
    const sendKey = async () => child.process.send({ key: await obtainKey() })
    const refuse = (error: unknown) => {
      reject(error)
      void child.stop()
    }
    child.process.on('message', (message: PrepareMessage) => {
      if (message.kind === 'ready') resolve(message)
      if (message.kind === 'refused') reject(new Error(message.sentence))
      if (message.kind === 'key-wanted') sendKey().catch(refuse)
    })
    child.ended.then(() => reject(new Error('The portal could not be prepared.')))
  })
}
