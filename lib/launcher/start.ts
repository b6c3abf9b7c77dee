/** Starts the service and the portal, says where to go, and ends both together. */
import { execFile } from 'node:child_process'
import { accessSync, chmodSync, constants, mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { findClaimant } from '@/lib/database/claim'
import type { PrepareMessage } from '@/lib/portal/prepare'
import { getSettings, type Settings } from '@/lib/settings/settings'
import { type Child, startChild } from './child'

/** What starts one of the programs that `buildPrograms` made. */
const program = (name: string) => ['--enable-source-maps', `.programs/${name}.mjs`]

/** The whole life of `npm run up` after installing and building. Ends the process itself. */
export async function start(): Promise<void> {
  const children: Child[] = []
  const stopAll = async () => {
    for (const child of [...children].reverse()) await child.stop()
  }
  const stopRequested = new Promise<'stop'>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve('stop'))
  })
  try {
    const settings = await checkSettings()
    const running = bringUp(settings, children)
    const first = await Promise.race([running, stopRequested])
    const ended = first === 'stop' ? first : await Promise.race([stopRequested, ...children.map(endOf)])
    await stopAll()
    if (ended === 'stop') process.exit(0)
    throw new Error(`The ${ended} ended by itself, so everything was stopped.`)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    await stopAll()
    process.exit(1)
  }
}

async function endOf(child: Child): Promise<string> {
  await child.ended
  return child.name
}

/** What can be known before anything is started. The key from the environment is for the portal's processes alone. */
async function checkSettings(): Promise<Settings> {
  const kek = process.env.GATEHOUSE_KEK
  const settings = getSettings()
  if (kek) process.env.GATEHOUSE_KEK = kek
  for (const [setting, folder] of [
    ['GATEHOUSE_DATA', settings.dataDir],
    ['GATEHOUSE_KEYS', settings.keysDir],
  ] as const) {
    requireOwnFolder(setting, folder)
  }
  const portal = findClaimant(settings.portalDatabase)
  if (portal !== null) throw new Error(`A portal (process ${portal}) is already running on ${settings.dataDir}. Stop it first.`)
  await requireFreePort(settings.host, settings.port, 'PORT')
  if (!settings.upstreamUrl) await requireFreePort('127.0.0.1', settings.servicePort, 'SERVICE_PORT')
  return settings
}

/** Makes the folder if need be, for its owner alone, and makes sure that it can be written. */
function requireOwnFolder(setting: string, folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    chmodSync(folder, 0o700)
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch {
    throw new Error(`The folder ${folder} cannot be made or written. Mend its owner, or set ${setting} to another one.`)
  }
}

function requireFreePort(host: string, port: number, setting: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be used (${error.code})`
      reject(new Error(`Port ${port} on ${host} ${why}. Free it, or set ${setting} to another one.`))
    })
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve()))
  })
}

async function bringUp(settings: Settings, children: Child[]): Promise<void> {
  const { GATEHOUSE_KEK: _, ...serviceEnv } = process.env
  const serviceAnswers = settings.upstreamUrl ? Promise.resolve() : startService(settings, serviceEnv, children)
  const [setupLink] = await Promise.all([preparePortal(serviceEnv, serviceAnswers), serviceAnswers])
  const next = ['node_modules/next/dist/bin/next', 'start', '-H', settings.host, '-p', String(settings.port)]
  const portal = startChild('portal', next, { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' })
  children.push(portal)
  const reach = settings.host === '0.0.0.0' || settings.host === '::' ? '127.0.0.1' : settings.host
  await answering(`http://${reach.includes(':') ? `[${reach}]` : reach}:${settings.port}/api/health`, portal)
  process.stdout.write(`\nGatehouse is at ${settings.publicUrl.origin}\n`)
  if (setupLink) process.stdout.write(`Create the first account (the link works once): ${setupLink}\n`)
  process.stdout.write('\n')
}

async function startService(settings: Settings, env: NodeJS.ProcessEnv, children: Child[]): Promise<void> {
  const service = startChild('service', program('service-main'), env)
  children.push(service)
  await answering(`http://127.0.0.1:${settings.servicePort}/api/health`, service)
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
 * Runs the portal's preparation beside the service's start and resolves with the set-up link. A key is made only once
 * the service answers: its database is ready then. Rejects with the refusal as one line.
 */
function preparePortal(serviceEnv: NodeJS.ProcessEnv, serviceAnswers: Promise<void>): Promise<string | null> {
  const child = startChild('preparation', ['--conditions=react-server', ...program('portal-prepare')], process.env)
  return new Promise((resolve, reject) => {
    const sendKey = async () => {
      await serviceAnswers
      child.process.send({ key: await createServiceKey(serviceEnv) })
    }
    child.process.on('message', (message: PrepareMessage) => {
      if (message.kind === 'ready') resolve(message.setupLink)
      if (message.kind === 'refused') reject(new Error(message.sentence))
      if (message.kind === 'key-wanted') sendKey().catch(reject)
    })
    child.ended.then(() => reject(new Error('The portal could not be prepared.')))
  })
}

/** The key travels from the service's command to the portal's preparation through this process's memory alone. */
async function createServiceKey(env: NodeJS.ProcessEnv): Promise<string> {
  const args = [...program('service-keys'), 'create', '--account', 'portal']
  const { stdout } = await promisify(execFile)(process.execPath, args, { env })
  return stdout.trim()
}
