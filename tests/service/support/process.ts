/** The service and its commands as separate processes, on a folder that outlives them. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../../support/gatehouse-process'

export type Place = Disposable & { dir: string; port: number; keyFile: string; env: NodeJS.ProcessEnv }

export type Ended = { code: number | null; stdout: string; stderr: string }

export type ServiceProcess = AsyncDisposable & {
  baseUrl: string
  process: ChildProcess
  stop(signal: NodeJS.Signals): Promise<number | null>
}

export async function makePlace(): Promise<Place> {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-service-'))
  const port = await findFreePort()
  const keys = join(dir, 'keys')
  const { GATEHOUSE_KEK: _, ...inherited } = process.env
  const env = { ...inherited, SERVICE_PORT: String(port), GATEHOUSE_DATA: join(dir, 'data'), GATEHOUSE_KEYS: keys, LOG_LEVEL: 'warn' }
  return {
    dir,
    port,
    keyFile: join(keys, 'service', 'kek.key'),
    env,
    [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }),
  }
}

/** Runs a file of the service until it exits. */
export function run(place: Place, file: string, ...args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['--import', 'tsx', file, ...args], { env: place.env, timeout: 240_000 }, (error, stdout, stderr) => {
      const code = error ? (typeof error.code === 'number' ? error.code : null) : 0
      resolve({ code, stdout, stderr })
    })
  })
}

export const runKeys = (place: Place, ...args: string[]): Promise<Ended> => run(place, 'lib/service/keys.ts', ...args)

export const runFill = (place: Place, ...args: string[]): Promise<Ended> => run(place, 'lib/service/fill.ts', ...args)

/** Starts the service and resolves when it answers. */
export async function startService(place: Place): Promise<ServiceProcess> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'lib/service/main.ts'], {
    env: place.env,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  let running = true
  ended.then(() => {
    running = false
  })
  const baseUrl = `http://127.0.0.1:${place.port}`
  const answers = () =>
    fetch(`${baseUrl}/api/health`).then(
      (response) => response.ok,
      () => false,
    )
  while (running && !(await answers())) await new Promise((resolve) => setTimeout(resolve, 50))
  if (!running) throw new Error('the service ended instead of answering')
  const stop = async (signal: NodeJS.Signals) => {
    if (running) child.kill(signal)
    return ended
  }
  return { baseUrl, process: child, stop, [Symbol.asyncDispose]: async () => void (await stop('SIGKILL')) }
}
