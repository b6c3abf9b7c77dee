/** Starts the service and the portal, says where to go, and ends both together. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { findClaimant } from '@/lib/database/claim'
import type { PrepareMessage } from '@/lib/portal/prepare'
import { readKeyFile } from '@/lib/sealing/key-file'
import { getSettings, type Settings } from '@/lib/settings/settings'
import { type Child, startChild } from './child'
import { requireOwnFolder } from './own-folder'

/** What starts one of the programs that `buildPrograms` made. */
const program = (name: string) => ['--enable-source-maps', `.programs/${name}.mjs`]

/** What went wrong was told already by the process it happened in. */
class ToldAlready extends Error {}

/** The processes that a start has made so far; once it is stopping, it makes no more. */
type Family = { begin(name: string, args: readonly string[], env: NodeJS.ProcessEnv): Child; stopping: AbortSignal; stop(): Promise<void> }

function createFamily(): Family {
  const children: Child[] = []
  const stopping = new AbortController()
  return {
    stopping: stopping.signal,
    begin(name, args, env) {
      stopping.signal.throwIfAborted()
      const child = startChild(name, args, env)
      children.push(child)
      return child
    },
    async stop() {
      stopping.abort()
      for (const child of children.reverse()) await child.stop()
    },
  }
}

/** The whole life of `npm run up` after installing and building. Ends the process itself. */
export async function start(): Promise<void> {
  const family = createFamily()
  const stopRequested = new Promise<'stop'>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve('stop'))
  })
  try {
    const settings = await checkSettings()
    const first = await Promise.race([bringUp(settings, family), stopRequested])
    const ended = first === 'stop' ? first : await Promise.race([stopRequested, ...first.map(endOf)])
    await family.stop()
    if (ended === 'stop') process.exit(0)
    throw new Error(`The ${ended} ended by itself, so everything was stopped.`)
  } catch (error) {
    if (!(error instanceof ToldAlready)) process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    await family.stop()
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
  checkKeys(settings)
  const portal = findClaimant(settings.portalDatabase)
  if (portal !== null) throw new Error(`A portal (process ${portal}) is already running on ${settings.dataDir}. Stop it first.`)
  await requireFreePort(settings.host, settings.port, 'PORT')
  if (!settings.upstreamUrl) await requireFreePort('127.0.0.1', settings.servicePort, 'SERVICE_PORT')
  return settings
}

/** Keys that have to be there are looked at before anything listens; what they open is proven by whoever uses them. */
function checkKeys({ portalDatabase, serviceDatabase, portalKekFile, serviceKekFile, kekFromEnvironment, upstreamUrl }: Settings): void {
  if (existsSync(portalDatabase) && kekFromEnvironment === null) readKeyFile(portalKekFile).fill(0)
  if (existsSync(serviceDatabase) && upstreamUrl === null) readKeyFile(serviceKekFile).fill(0)
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

/** Resolves with the processes that are to stay, once both answer. */
async function bringUp(settings: Settings, family: Family): Promise<Child[]> {
  const { GATEHOUSE_KEK: _, ...serviceEnv } = process.env
  const service = settings.upstreamUrl ? null : family.begin('service', program('service-main'), serviceEnv)
  const serviceAnswers = service ? answering(`http://127.0.0.1:${settings.servicePort}/api/health`, service) : Promise.resolve()
  const [setupLink] = await Promise.all([preparePortal(serviceEnv, serviceAnswers, family), serviceAnswers])
  const next = ['node_modules/next/dist/bin/next', 'start', '-H', settings.host, '-p', String(settings.port)]
  const portal = family.begin('portal', next, { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' })
  const reach = settings.host === '0.0.0.0' || settings.host === '::' ? '127.0.0.1' : settings.host
  await answering(`http://${reach.includes(':') ? `[${reach}]` : reach}:${settings.port}/api/health`, portal)
  process.stdout.write(`\nGatehouse is at ${settings.publicUrl.origin}\n`)
  if (setupLink) process.stdout.write(`Create the first account (the link works once): ${setupLink}\n`)
  process.stdout.write('\n')
  return service ? [service, portal] : [portal]
}

/** Polls a health address until it answers 200. Throws when the process ends first. */
async function answering(url: string, child: Child): Promise<void> {
  let code: number | null = null
  child.ended.then((ended) => {
    code = ended
  })
  for (;;) {
    // Ours end with 1 when they have said why; anything else was done to them.
    if (code === 1) throw new ToldAlready()
    if (code !== null) throw new Error(`The ${child.name} did not start.`)
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
function preparePortal(serviceEnv: NodeJS.ProcessEnv, serviceAnswers: Promise<void>, family: Family): Promise<string | null> {
  const child = family.begin('preparation', ['--conditions=react-server', ...program('portal-prepare')], process.env)
  return new Promise((resolve, reject) => {
    const sendKey = async () => {
      await serviceAnswers
      child.process.send({ key: await createServiceKey(serviceEnv, family.stopping) })
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
async function createServiceKey(env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<string> {
  const args = [...program('service-keys'), 'create', '--account', 'portal']
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, signal })
  return stdout.trim()
}
