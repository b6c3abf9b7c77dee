import { expect, test } from 'vitest'
import { parseBackupList, parseBackups, renderBackups } from '@/lib/service/machines/backups'
import { parseQueue } from '@/lib/service/machines/mail-queue'
import { simulateDays } from '@/lib/service/machines/sandbox/days'
import { eventsOf, noteBoot } from '@/lib/service/machines/sandbox/events'
import { createModel } from '@/lib/service/machines/sandbox/fresh'
import type { SandboxModel } from '@/lib/service/machines/sandbox/model'

const hourMs = 3_600_000
const now = Date.parse('2026-11-21T12:00:00Z')

function createInstalled(): SandboxModel {
  const model = createModel({ name: 'alpha', host: 'alpha.test', user: 'root', nowMs: now })
  return { ...model, services: { ...model.services, 'gatehouse-backup.timer': 'running' } }
}

test('nothing happens on a server that is not installed, and nothing twice within an hour', () => {
  const bare = createModel({ name: 'bare', host: 'bare.test', user: 'root', nowMs: now })
  simulateDays(bare, now)
  expect(bare).toEqual(createModel({ name: 'bare', host: 'bare.test', user: 'root', nowMs: now }))
  const model = createInstalled()
  simulateDays(model, now)
  const after = structuredClone(model)
  simulateDays(model, now + hourMs - 1)
  expect(model).toEqual(after)
})

test('an installed server has backups of a week; each new one replaces the oldest, and files put there by hand stay', () => {
  const model = createInstalled()
  simulateDays(model, now)
  const names = () => parseBackups(model.backups).map(({ name }) => name)
  const first = names()
  expect([first.length, first[0], first.at(-1)]).toEqual([8, 'backup-2026-11-21-023000.tar.gz', 'before the move, by hand.tar.gz'])
  simulateDays(model, now + 48 * hourMs)
  expect(names()).toEqual(['backup-2026-11-23-023000.tar.gz', 'backup-2026-11-22-023000.tar.gz', ...first.slice(0, 5), ...first.slice(7)])
})

test('deleted items stay deleted, and undelivered mail is dropped after five days', () => {
  const model = createInstalled()
  simulateDays(model, now)
  model.backups = renderBackups(parseBackups(model.backups).slice(1))
  model.mailQueue = ''
  simulateDays(model, now + 24 * hourMs)
  expect(parseBackups(model.backups).map(({ name }) => name)).not.toContain('backup-2026-11-21-023000.tar.gz')
  const waiting = parseQueue(model.mailQueue)
  expect(waiting.length).toBeGreaterThanOrEqual(2)
  expect(waiting.every(({ arrivedAt }) => arrivedAt * 1000 > now - hourMs)).toBe(true)
  simulateDays(model, now + 7 * 24 * hourMs)
  const ids = new Set(parseQueue(model.mailQueue).map(({ queueId }) => queueId))
  expect(waiting.some(({ queueId }) => ids.has(queueId))).toBe(false)
})

test('backups of a flaky server name the missing database; a failing server has room for three, and reports an error after that', () => {
  const flaky = { ...createInstalled(), temper: 'flaky' as const }
  simulateDays(flaky, now)
  const partial = parseBackupList(`${flaky.backupRun}${flaky.backups}`)
  expect(partial.last).toEqual({ state: 'partial', at: '2026-11-21T02:30:00.000Z', reason: 'Missing: shop.' })
  expect(partial.items[0]).toMatchObject({ proven: true, missing: [{ name: 'shop' }], left_out: ['/srv/media'] })
  const failing = { ...createInstalled(), temper: 'failing' as const }
  simulateDays(failing, now)
  const failed = parseBackupList(`${failing.backupRun}${failing.backups}`)
  expect(failed.items.filter(({ proven }) => proven)).toHaveLength(3)
  expect(failed.last).toMatchObject({ state: 'failed', at: '2026-11-21T02:30:00.000Z', reason: expect.stringMatching(/not enough room/) })
  const plain = createInstalled()
  simulateDays(plain, now)
  expect(parseBackupList(plain.backupRun).last).toMatchObject({ state: 'done', reason: '' })
  expect([flaky, failing, plain].map(({ services }) => services['gatehouse-backup.service'])).toEqual(['failed', 'failed', undefined])
})

test('what a server did by its own timers is listed for a week, with the reason of a failure, and a reboot keeps the boot before', () => {
  const failing = { ...createInstalled(), temper: 'failing' as const }
  simulateDays(failing, now)
  const events = eventsOf(failing, now)
  const kinds = events.map((event) => event.split(' ')[0])
  expect(kinds.filter((kind) => kind === 'backup')).toHaveLength(7)
  expect(kinds.filter((kind) => kind === 'updates').length).toBeGreaterThanOrEqual(2)
  expect(kinds.at(-1)).toBe('reboot')
  expect(events).toEqual([...events].sort((one, other) => Number(one.split(' ')[1]) - Number(other.split(' ')[1])))
  expect(events.find((event) => event.includes(' failed - '))).toContain('There is not enough room')
  noteBoot(failing)
  failing.bootedAtMs = now + 1000
  expect(eventsOf(failing, now + 2000).filter((event) => event.startsWith('reboot'))).toHaveLength(2)
  expect(eventsOf(failing, now + 9 * 24 * hourMs)).toEqual([])
})
