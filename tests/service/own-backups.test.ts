/** What the service tells of its own backups: to anybody when they were made, and in its metrics to whoever has an API key. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStore } from '@/lib/service/store/db'
import { parseSettings } from '@/lib/settings/settings'
import { openTestService } from './support/service'

const { backup } = parseSettings(
  {
    BACKUP_RECIPIENT: 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p',
    BACKUP_COMMAND: '/srv/a-secret-path/store',
    BACKUP_EVERY_HOURS: '2',
  },
  '/nowhere',
)

test('the report has times, lengths and numbers, and no path', async () => {
  await using service = await openTestService({ backup })
  const read = async () => (await fetch(`${service.baseUrl}/api/health/backup`)).json()
  const hour = 3_600_000
  expect(await read()).toEqual({ lateAfterMs: 3 * hour, attemptedAt: null, reason: '', doneAt: null, bytes: 0, failures: 0 })
  const store = openStore(join(service.dir, 'data', 'service.db'))
  const doneAt = new Date(Date.now() - hour)
  await store.ownBackup.create({ data: { half: 'service', attemptedAt: doneAt, reason: '', doneAt, bytes: 5e9, failures: 3 } })
  await store.$disconnect()
  const at = doneAt.toISOString()
  expect(await read()).toEqual({ lateAfterMs: 3 * hour, attemptedAt: at, reason: '', doneAt: at, bytes: 5e9, failures: 3 })

  expect((await fetch(`${service.baseUrl}/metrics`)).status).toBe(401)
  const metrics = await fetch(`${service.baseUrl}/metrics`, { headers: { authorization: `Bearer ${service.key}` } })
  expect(metrics.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const values = new Map((await metrics.text()).split('\n').map((line) => line.split(' ') as [string, string]))
  expect(Number(values.get('gatehouse_backup_age_seconds'))).toBeCloseTo(3600, -2)
  expect(values.get('gatehouse_backup_bytes')).toBe('5000000000')
  expect(values.get('gatehouse_backup_failures_total')).toBe('3')
  expect(values.get('gatehouse_service_jobs_running')).toBe('0')
})

test('without backups the report says that none are scheduled', async () => {
  await using service = await openTestService()
  expect(await (await fetch(`${service.baseUrl}/api/health/backup`)).json()).toMatchObject({ lateAfterMs: null, attemptedAt: null })
})
