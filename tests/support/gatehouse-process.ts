/** A whole Gatehouse as `npm run up` starts it: own folders, own ports, ended and cleared away with the test. */
import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runFolder } from './database-templates'

export type Place = Disposable & { dir: string; port: number; servicePort: number; env: Record<string, string> }

export type Gatehouse = AsyncDisposable & {
  url: string
  /** The one-time link printed while no owner exists. */
  setupLink: string | null
  process: ChildProcess
  /** Everything printed so far, both streams. */
  output(): string
  /** Sends the signal and resolves with the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** A port nothing listens on at the moment. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => (address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port'))))
    })
  })
}

/** Folders and ports that outlive one run, so that a test can stop Gatehouse and start it again on what it left. */
export async function makePlace(extra: Record<string, string> = {}, parent = tmpdir()): Promise<Place> {
  const dir = mkdtempSync(join(parent, 'gatehouse-place-'))
  const [port, servicePort] = [await findFreePort(), await findFreePort()]
  const env = {
    PORT: String(port),
    SERVICE_PORT: String(servicePort),
    GATEHOUSE_DATA: join(dir, 'data'),
    GATEHOUSE_KEYS: join(dir, 'keys'),
    LOG_LEVEL: 'warn',
    // The first check runs after an hour, so that it does not change what tests count.
    SAMPLE_SECONDS: '3600',
    ...extra,
  }
  return { dir, port, servicePort, env, [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }) }
}

let started: Promise<string> | undefined

async function startOnce(): Promise<string> {
  const place = await makePlace({}, runFolder())
  const gatehouse = await startGatehouse(place)
  await gatehouse.stop()
  return place.dir
}

/** A place after a first start, without an owner. Each worker makes one and copies it, because a first start takes twice as long. */
export async function makeStartedPlace(extra: Record<string, string> = {}): Promise<Place> {
  if (extra.UPSTREAM_URL !== undefined) throw new Error("The bundled service's key would make a second connection: use makePlace.")
  started ??= startOnce()
  const [place, template] = [await makePlace(extra), await started]
  cpSync(template, place.dir, { recursive: true })
  return place
}

function environment(place: Place): NodeJS.ProcessEnv {
  const { NODE_ENV: _, VITEST: __, ...inherited } = process.env
  return { ...inherited, ...place.env } as NodeJS.ProcessEnv
}

/** Runs the program until it exits: for starts that must be refused, or are stopped early. */
export function runGatehouse(
  place: Place,
  begun: (child: ChildProcess) => void = () => {},
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['lib/launcher/up.mjs'], { env: environment(place) })
    begun(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    child.once('close', (code) => resolve({ code, output }))
  })
}

/** Starts the program and resolves when it has said where it is. Rejects with its output when it ends instead. */
export const startGatehouse = (place: Place, cwd = process.cwd(), program: 'up' | 'dev' = 'up'): Promise<Gatehouse> =>
  begin(place, cwd, [process.execPath, `lib/launcher/${program}.mjs`])

/** The same with the release in that folder. before: a command that executes what follows it. */
export function startRelease(place: Place, folder: string, before: readonly string[] = []): Promise<Gatehouse> {
  const [program = '', ...args] = [...before, join(folder, 'gatehouse'), 'up']
  return begin(place, folder, [program, ...args])
}

function begin(place: Place, cwd: string, [program, ...args]: [string, ...string[]]): Promise<Gatehouse> {
  const child = spawn(program, args, { cwd, env: environment(place), stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    if (child.exitCode === null) child.kill(signal)
    return ended
  }
  return new Promise((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      output += chunk
      const said = /Gatehouse is at (\S+)\n((?:[^\n]+\n)*)\n/.exec(output)
      if (!said?.[1]) return
      const setupLink = /https?:\S+\/setup\S+/.exec(said[2] ?? '')?.[0] ?? null
      resolve({
        url: said[1],
        setupLink,
        process: child,
        output: () => output,
        stop,
        [Symbol.asyncDispose]: async () => {
          await stop()
        },
      })
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    ended.then((code) => reject(new Error(`Gatehouse ended with ${code}:\n${output}`)))
  })
}
