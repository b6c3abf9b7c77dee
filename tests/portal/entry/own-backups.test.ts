/** What the portal keeps and tells of Gatehouse's own backups: its own, and those of the bundled service. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { stagingFolder } from '@/lib/backup/scheduled/make'
import { createBackupCheck, settleKilled } from '@/lib/backup/scheduled/regularly'
import { answerMetrics } from '@/lib/portal/entry/metrics/serve'
import { learnServiceBackups, portalMemory } from '@/lib/portal/entry/own-backups'
import { readActivity } from '@/lib/portal/views/activity/activity'
import { readFilter } from '@/lib/portal/views/activity/filter'
import { listBackupAges, listBackupItems } from '@/lib/portal/views/home/own-backups'
import { openStore } from '@/lib/service/store/db'
import { parseSettings } from '@/lib/settings/settings'
import { openTestService } from '@/tests/service/support/service'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'

const hour = 3_600_000
const recipient = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p'
const quiet = { info: () => undefined, error: () => undefined }

function makeFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-own-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

const readFigures = async () =>
  (await (await answerMetrics(new Request('http://127.0.0.1/metrics'))).text())
    .split('\n')
    .filter((line) => line.startsWith('gatehouse_backup'))

test('owners see a backup that failed and one that is late, with the reason; others, and while all is well, nothing', async () => {
  const folder = join(makeFolder(), 'backups')
  await using portal = await openPortalDatabase({ environment: { BACKUP_RECIPIENT: recipient, BACKUP_FOLDER: folder } })
  const team = await createTeam()
  const [owner, admin] = [await team.join('owner'), await team.join('admin')]
  const check = createBackupCheck({ settings: portal.settings, half: 'portal', memory: portalMemory, log: quiet })
  const start = Date.parse('2026-11-27T09:00:00Z')
  expect(await listBackupItems(owner, start)).toEqual([])
  expect(await listBackupAges(owner)).toEqual([{ half: 'portal', madeAt: null }])
  await check(new Date(start))
  const failed = await listBackupItems(owner, start)
  expect(failed.map(({ word, tone, title, says, since }) => [word, tone, title, says, since])).toEqual([
    [
      'Backup failed',
      'danger',
      'Backup of the portal',
      'The folder could not be written. Gatehouse tries again every hour. There is no backup yet.',
      null,
    ],
  ])
  expect(await listBackupItems(admin, start)).toEqual([])

  mkdirSync(folder)
  await check(new Date(start + hour))
  expect(await listBackupItems(owner, start + 30 * hour)).toEqual([])
  expect(await listBackupAges(owner)).toEqual([{ half: 'portal', madeAt: new Date(start + hour).toISOString() }])
  expect(await listBackupAges(admin)).toBeNull()
  expect((await listBackupItems(owner, start + 38 * hour)).map(({ word, since }) => [word, since])).toEqual([
    ['Backup late', new Date(start + hour).toISOString()],
  ])
  rmSync(folder, { recursive: true })
  await check(new Date(start + 24 * hour))
  expect((await listBackupItems(owner, start + 24 * hour)).map(({ word, tone }) => [word, tone])).toEqual([['Backup failed', 'warn']])

  const { entries } = await readActivity(owner, readFilter({}), 'UTC')
  expect(entries.map(({ who, description, result }) => [who, description, result])).toEqual([
    ['Gatehouse', 'Make a backup of the portal', 'failed'],
    ['Gatehouse', 'Made a backup of the portal', 'done'],
    ['Gatehouse', 'Make a backup of the portal', 'failed'],
  ])
  expect(entries.map(({ reason }) => reason)).toEqual(['The folder could not be written.', null, 'The folder could not be written.'])
  const figures = await readFigures()
  expect(figures[0]).toMatch(/^gatehouse_backup_age_seconds\{half="portal"\} -?\d/)
  expect(figures[1]).toMatch(/^gatehouse_backup_bytes\{half="portal"\} [1-9]\d{3}/)
  expect(figures[2]).toBe('gatehouse_backup_failures_total{half="portal"} 2')
})

test('owners and metrics learn of a first backup that was killed with the portal', async () => {
  await using portal = await openPortalDatabase({ environment: { BACKUP_RECIPIENT: recipient, BACKUP_FOLDER: '/nowhere' } })
  const owner = await (await createTeam()).join('owner')
  const staging = stagingFolder(portal.settings, 'portal')
  const start = Date.parse('2026-11-27T09:00:00Z')
  mkdirSync(staging)
  writeFileSync(join(staging, 'started'), new Date(start).toISOString())
  await settleKilled({ settings: portal.settings, half: 'portal', memory: portalMemory, log: quiet })
  expect((await listBackupItems(owner, start)).map(({ word, tone, says }) => [word, tone, says])).toEqual([
    ['Backup failed', 'danger', 'Gatehouse ended while it was being made. Gatehouse tries again every hour. There is no backup yet.'],
  ])
  expect(await readFigures()).toEqual(['gatehouse_backup_failures_total{half="portal"} 1'])
  const { entries } = await readActivity(owner, readFilter({}), 'UTC')
  expect(entries.map(({ result, reason }) => [result, reason])).toEqual([['failed', 'Gatehouse ended while it was being made.']])
})

test('what the bundled service reports is stored once for each attempt, and stays while the service is away', async () => {
  const { backup } = parseSettings({ BACKUP_RECIPIENT: recipient, BACKUP_COMMAND: '/bin/true' }, '/nowhere')
  const service = await openTestService({ backup })
  const store = openStore(join(service.dir, 'data', 'service.db'))
  const SERVICE_PORT = new URL(service.baseUrl).port
  await using portal = await openPortalDatabase({ environment: { BACKUP_RECIPIENT: recipient, BACKUP_FOLDER: '/nowhere', SERVICE_PORT } })
  const owner = await (await createTeam()).join('owner')
  await learnServiceBackups()
  expect(await listBackupItems(owner, Date.now())).toEqual([])
  expect(await listBackupAges(owner)).toEqual([
    { half: 'portal', madeAt: null },
    { half: 'service', madeAt: null },
  ])
  const attemptedAt = new Date(Date.now() - hour)
  const row = { half: 'service', attemptedAt, reason: 'disk_full', doneAt: null, bytes: 0, failures: 1 }
  await store.ownBackup.create({ data: row })
  await learnServiceBackups()
  await learnServiceBackups()
  await store.$disconnect()
  await service[Symbol.asyncDispose]()
  await learnServiceBackups()
  expect((await listBackupItems(owner, Date.now())).map(({ word, title, says }) => [word, title, says])).toEqual([
    ['Backup failed', 'Backup of the service', 'A disk was full. Gatehouse tries again every hour. There is no backup yet.'],
  ])
  expect(await portal.db.auditRow.count({ where: { action: 'portal.backup' } })).toBe(1)
  expect(await readFigures()).toEqual(['gatehouse_backup_failures_total{half="service"} 1'])
})

test('a service without backups beside a portal that has them is named', async () => {
  await using service = await openTestService()
  const SERVICE_PORT = new URL(service.baseUrl).port
  await using _ = await openPortalDatabase({ environment: { BACKUP_RECIPIENT: recipient, BACKUP_FOLDER: '/nowhere', SERVICE_PORT } })
  const owner = await (await createTeam()).join('owner')
  await learnServiceBackups()
  expect((await listBackupItems(owner, Date.now())).map(({ word, title }) => [word, title])).toEqual([
    ['No backup', 'Backup of the service'],
  ])
})

test('a portal without scheduled backups has no ages', async () => {
  await using service = await openTestService()
  await using _ = await openPortalDatabase({ environment: { SERVICE_PORT: new URL(service.baseUrl).port } })
  const owner = await (await createTeam()).join('owner')
  await learnServiceBackups()
  expect(await listBackupAges(owner)).toEqual([])
})
