/** Another program locks the service's database: calls that change nothing are answered, and every confirmed change is on disk. */
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openDatabaseLock } from '../support/database-lock'
import { runSql } from '../support/sqlite-file'
import { create } from './conformance/servers'
import { get } from './support/caller'
import { openTestService } from './support/service'

const loginOf = (name: string) => ({ provider: 'sandbox', host: `${name}.sandbox.test`, port: '22', user: 'deploy', pass: 'open' })

test('servers added while the database is locked now and then: exactly those answered with an id exist', {
  timeout: 60_000,
}, async () => {
  await using service = await openTestService()
  const names = Array.from({ length: 21 }, (_, number) => `n${number}`)
  const asked = await Promise.all(names.map((name) => create(service, { ...loginOf(name), name, host_key: 'ask' })))
  const add = (number: number) =>
    create(service, { ...loginOf(`n${number}`), name: `n${number}`, host_key: String(asked[number]?.body.host_key) })
  const file = join(service.dir, 'data', 'service.db')
  // The key was last used a while ago, so the next use would be stored.
  runSql(file, "UPDATE ApiKey SET lastUsedAt = '2026-01-01T00:00:00.000+00:00'")
  await using other = openDatabaseLock(file)
  await other.lock()
  const unlocked = delay(6_000).then(() => other.unlock())
  expect((await get(service, '/servers')).status).toBe(200)
  const said = await Promise.all(names.slice(0, 20).map((_, number) => delay(number * 350).then(() => add(number))))
  await unlocked
  const answered = names.filter((_, index) => said[index]?.status === 200)
  expect(answered.length).toBeGreaterThan(5)
  expect(answered.length).toBeLessThan(20)
  const stored = () => runSql(file, 'SELECT name FROM Machine').map(({ name }) => String(name))
  expect(stored().sort()).toEqual([...answered].sort())
  expect((await add(20)).status).toBe(200)
  expect(stored().sort()).toEqual([...answered, 'n20'].sort())
})
