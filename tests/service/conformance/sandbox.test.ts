/** The sandbox keeps the promises that real machines are held to. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { logNames } from '@/lib/service/machines/logs'
import { get, readInstall } from '../support/caller'
import { openTestService } from '../support/service'
import { proveCron } from './cron'
import { proveLogs, readLog } from './logs'
import { deleteMessages, proveMail } from './mail'
import { listBackups, proveBackups } from './server-backups'
import { register, serverPromises } from './servers'

test.each(serverPromises)('sandbox: $title', async ({ prove }) => {
  await using service = await openTestService({ sandboxPaceMs: 40 })
  await prove({
    baseUrl: service.baseUrl,
    key: service.key,
    findMachine: async () => ({ provider: 'sandbox', host: `${randomUUID()}.test`, port: '22', user: 'root', pass: 'let me in, please' }),
    unreachable: { host: 'unreachable.test', port: '22' },
    wrongPass: 'wrong',
  })
})

test('sandbox: cron jobs are saved, told, refused and deleted by their content', async () => {
  await using service = await openTestService()
  const login = { provider: 'sandbox', host: 'cron.test', port: '22', user: 'root', pass: 'let me in, please' }
  const { id } = await register(service, login, 'cron')
  await proveCron({ ...service, id })
})

test('sandbox: the mail queue is told and emptied by its messages, and there is none before the install', async () => {
  await using service = await openTestService()
  const login = { provider: 'sandbox', host: 'mail.test', port: '22', user: 'root', pass: 'let me in, please' }
  const { id } = await register(service, login, 'mail')
  const target = { ...service, id }
  const early = { status: 409, body: { code: 'not_installed' } }
  expect(await get(service, `/servers/${id}/messages`)).toMatchObject(early)
  expect(await deleteMessages(target, ['ABCDEF12.1'])).toMatchObject(early)
  await readInstall(service, id)
  await proveMail(target)
})

test('sandbox: logs are told by their names, grow, and there are more of them after the install', async () => {
  await using service = await openTestService()
  const login = { provider: 'sandbox', host: 'logs.test', port: '22', user: 'root', pass: 'let me in, please' }
  const { id } = await register(service, login, 'logs')
  const target = { ...service, id }
  await proveLogs(target)
  const before = await readLog(target, 'auth')
  expect(before.names).toEqual(['auth', 'journal'])
  await readInstall(service, id)
  expect((await readLog(target, 'install')).names).toEqual(logNames.filter((name) => name !== 'fail2ban'))
  await expect.poll(async () => (await readLog(target, 'auth')).lines.length).toBeGreaterThan(before.lines.length)
  const after = await readLog(target, 'auth')
  expect(after.lines.slice(0, before.lines.length - 1)).toEqual(before.lines.slice(0, -1))
})

test('sandbox: backups are told and deleted by their names, and there are none before the install', async () => {
  await using service = await openTestService()
  const login = { provider: 'sandbox', host: 'backups.test', port: '22', user: 'root', pass: 'let me in, please' }
  const { id } = await register(service, login, 'backups')
  const target = { ...service, id }
  expect(await listBackups(target)).toEqual([])
  await readInstall(service, id)
  expect((await listBackups(target)).filter(({ proven }) => proven)).toHaveLength(7)
  await proveBackups(target)
})
