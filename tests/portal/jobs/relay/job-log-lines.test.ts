import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import type { Settings } from '@/lib/settings/settings'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { prepareInstall } from '@/tests/support/portal-install'
import { startUpstream } from '@/tests/support/upstream/upstream'

/** The lines of the log of a process that runs one install to its end. */
async function logOfInstall(settings: Settings, args: readonly string[], logLevel: string): Promise<unknown[]> {
  const imports = ['--import', './tests/support/allow-server-only.js', '--import', 'tsx']
  const environment = { GATEHOUSE_DATA: settings.dataDir, GATEHOUSE_KEYS: settings.keysDir, ALLOW_PRIVATE_UPSTREAMS: '127.0.0.0/8' }
  const child = spawn(process.execPath, [...imports, 'tests/support/relay-process.ts', ...args], {
    env: { ...process.env, NODE_ENV: 'test', LOG_LEVEL: logLevel, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = (await text(child.stdout)).split('\n').filter((line) => line.startsWith('{'))
  return lines.map((line) => JSON.parse(line))
}

test('the log has the start and end of a job, and neither at LOG_LEVEL=warn', { timeout: 180_000 }, async () => {
  await using portal = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true, installFails: true })
  const { actor, serverId } = await prepareInstall(upstream)
  const logged = await logOfInstall(portal.settings, [serverId, actor.sessionId], 'info')
  const { id: jobId } = await db().job.findFirstOrThrow()
  expect(logged).toMatchObject([
    { level: 30, jobId, operation: 'servers.install', msg: 'job started' },
    { level: 30, jobId, operation: 'servers.install', state: 'failed', problem: 'upstream_failed', msg: 'job ended' },
  ])
  expect(await logOfInstall(portal.settings, [serverId, actor.sessionId], 'warn')).toEqual([])
})
