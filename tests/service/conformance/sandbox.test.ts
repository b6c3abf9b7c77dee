/** The sandbox keeps the promises that real machines are held to. */
import { randomUUID } from 'node:crypto'
import { test } from 'vitest'
import { openTestService } from '../support/service'
import { proveCron } from './cron'
import { proveFirewall } from './firewall'
import { register, serverPromises } from './servers'
import { proveUsers } from './users'

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

test('sandbox: system users are made, told, given passwords, refused and deleted', async () => {
  await using service = await openTestService()
  const login = { provider: 'sandbox', host: 'users.test', port: '22', user: 'deploy', pass: 'let me in, please' }
  const { id } = await register(service, login, 'users')
  await proveUsers({ ...service, id, own: 'deploy' })
})

test('sandbox: the firewall is switched, its rules are saved, told, refused, deleted and put back, and we are never kept out', async () => {
  await using service = await openTestService()
  const login = { provider: 'sandbox', host: 'firewall.test', port: '22', user: 'root', pass: 'let me in, please' }
  const { id } = await register(service, login, 'firewall')
  await proveFirewall({ ...service, id, ours: '198.51.100.1' })
})
