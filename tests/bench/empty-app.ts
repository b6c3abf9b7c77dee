/** An empty app that Next itself builds and starts: the least that a portal on Next takes. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { findFreePort } from '../support/gatehouse-process'

/** Inside the project, where its modules are found. */
const folder = resolve('.next-builds/empty-app')

const next = resolve('node_modules/next/dist/bin/next')

const files = {
  // Otherwise Next takes the project's.
  'next.config.js': 'export default {}\n',
  'instrumentation.js': 'export function register() {}\n',
  'app/layout.js': 'export default ({ children }) => <html><body>{children}</body></html>\n',
  'app/page.js': "export const dynamic = 'force-dynamic'\nexport default () => <p>Nothing</p>\n",
}

const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' } as const

/** start: seconds from the command to the first whole page, with that program as Node. */
export async function makeEmptyApp(node: string): Promise<Disposable & { start(): Promise<number> }> {
  const remove = () => rmSync(folder, { recursive: true, force: true })
  remove()
  mkdirSync(join(folder, 'app'), { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  await promisify(execFile)(process.execPath, [next, 'build', folder], { env })
  return { start: () => startOnce(node), [Symbol.dispose]: remove }
}

async function startOnce(node: string): Promise<number> {
  const port = await findFreePort()
  const since = performance.now()
  const child = spawn(node, [next, 'start', folder, '-H', '127.0.0.1', '-p', String(port)], { env, stdio: 'ignore' })
  const ended = once(child, 'close')
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`The empty app ended with ${child.exitCode}.`)
    await delay(20)
  }
  const seconds = (performance.now() - since) / 1000
  child.kill('SIGTERM')
  await ended
  return seconds
}

const answers = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/`).then(
    (page) => page.text().then(() => page.ok),
    () => false,
  )
