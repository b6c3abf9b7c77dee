/** The password of an app reaches its answer, also after a restart of the service, and is written nowhere as it is. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '@/lib/service/store/db'
import { openRing } from '@/lib/service/store/ring'
import { forgetSecrets, revealSecret, secretMs } from '@/lib/service/store/run-secrets'
import { register } from './conformance/servers'
import { readInstall } from './support/caller'
import { openTestService } from './support/service'
import { createSite, streamInstall } from './support/slow-work'

const login = { provider: 'sandbox', host: 'secrets.test', port: '22', user: 'root', pass: 'let me in, please' }

type Answer = { credentials?: { password: string } } | undefined

test('security 1: the password of an app survives a restart of the service, is in no file, and is deleted 15 minutes after the end', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-secrets-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const first = await openTestService({ dir, sandboxPaceMs: 20 })
  const { id: server } = await register(first, login, 'secrets')
  await readInstall(first, server)
  const { body } = await createSite(first, { domain: 'secrets.example.org', server, password: 'a harbour' })
  const id = String(body.id)
  const begun = await streamInstall(first, id, 'wordpress', { until: 1 })
  const after = (begun.events[0]?.id ?? 0) - 1

  await first[Symbol.asyncDispose]()

  // Another process, which knows only what is stored.
  await using second = await openTestService({ dir })
  const whole = await streamInstall(second, id, 'wordpress', { lastEventId: after })
  const password = (whole.events.at(-1)?.result as Answer)?.credentials?.password ?? ''
  expect(password.length).toBeGreaterThan(20)

  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  expect(files.length).toBeGreaterThan(1)
  for (const { parentPath, name } of files) expect(readFileSync(join(parentPath, name)).includes(password)).toBe(false)

  const db = openStore(join(dir, 'data', 'service.db'))
  const store = { db, ring: await openRing(db, join(dir, 'keys', 'kek.key')) }
  const stored = async () => db.run.findFirstOrThrow({ where: { operation: 'apps.install' } })
  const endedAt = (await stored()).endedAt?.getTime() ?? 0
  expect(revealSecret(store, await stored(), endedAt + secretMs - 1)).toContain(password)
  expect(JSON.parse(revealSecret(store, await stored(), endedAt + secretMs) ?? '')).toEqual({ success: true })
  await forgetSecrets(store, endedAt + secretMs - 1)
  expect((await stored()).result).toContain('sealed')
  await forgetSecrets(store, endedAt + secretMs)
  expect((await stored()).result).toBe('{"success":true}')
  await db.$disconnect()
  expect((await streamInstall(second, id, 'wordpress', { lastEventId: after })).events.at(-1)?.result).toEqual({ success: true })
}, 60_000)
