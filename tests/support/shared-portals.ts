/** Portals in processes of their own, on the PostgreSQL of a test. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { beatOnce, joinPortals, leavePortals } from '@/lib/portal/base/portals/join'
import type { Settings } from '@/lib/settings/settings'
import { addressText } from './postgresql'

type PortalPlace = Pick<Settings, 'dataDir' | 'keysDir' | 'portalPostgresql'>

/** folder: its data folder, by default a new one. deskPort: where it answers over HTTP. */
type PortalOptions = { folder?: string; deskPort?: number }

/** args: those of portal-process.ts. Killed at the end of the test, if it still runs. */
export function startPortal(
  { dataDir, keysDir, portalPostgresql }: PortalPlace,
  args: string[] = [],
  { folder = randomUUID(), deskPort }: PortalOptions = {},
): ChildProcess {
  const child = spawn(
    process.execPath,
    ['--import', './tests/support/allow-server-only.js', '--import', 'tsx', 'tests/support/portal-process.ts', ...args],
    {
      env: {
        ...process.env,
        NODE_ENV: 'test',
        GATEHOUSE_DATA: join(dataDir, folder),
        GATEHOUSE_KEYS: keysDir,
        ...(portalPostgresql && { DATABASE_URL: addressText(portalPostgresql) }),
        ...(deskPort !== undefined && { DESK_PORT: String(deskPort) }),
        ALLOW_PRIVATE_UPSTREAMS: '127.0.0.0/8',
        LOG_LEVEL: 'silent',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

export async function untilReady(child: ChildProcess): Promise<void> {
  let said = ''
  for await (const chunk of child.stdout ?? []) {
    said += String(chunk)
    if (said.includes('ready')) return
  }
  throw new Error('The portal ended before it was ready.')
}

/** Makes the test's own process one of the portals, until disposed. */
export async function takePart(): Promise<AsyncDisposable> {
  await joinPortals()
  // Otherwise the others take its jobs over on a slow machine.
  const timer = setInterval(() => void beatOnce().catch(() => {}), 1_000)
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer)
      await leavePortals()
    },
  }
}
