/** A service for one test: new folder, new API key, fast sandbox, on a free port. */
import { randomUUID } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { listen } from '@/lib/service/listen'
import { type OpenOptions, openService } from '@/lib/service/open'
import { createOwnKey } from '@/lib/service/ssh/private-key'
import { ensureAccount } from '@/lib/service/store/accounts'
import { createApiKey } from '@/lib/service/store/api-keys'
import { openStore } from '@/lib/service/store/db'
import { createMachine } from '@/lib/service/store/machines'
import { openRing } from '@/lib/service/store/ring'
import { templateOf } from '../../support/database-templates'

export type TestService = AsyncDisposable & {
  baseUrl: string
  /** An API key of the account `default`. */
  key: string
  dir: string
  createKey(account: string): Promise<string>
  /** What the service begins at night, as if it were that time. */
  beginNight(now: Date): Promise<void>
}

/** `options` as for openService; `dir` opens the folder of an earlier one again. */
export async function openTestService({ dir, ...options }: Partial<OpenOptions> & { dir?: string } = {}): Promise<TestService> {
  const folder = dir ?? mkdtempSync(join(tmpdir(), 'gatehouse-service-'))
  const paths = { database: join(folder, 'data', 'service.db'), keyFile: join(folder, 'keys', 'kek.key') }
  if (!existsSync(paths.database)) {
    mkdirSync(dirname(paths.database), { recursive: true, mode: 0o700 })
    copyFileSync(await templateOf('service'), paths.database)
  }
  const service = await openService({ ...paths, sandboxPaceMs: 2, ...options })
  const listening = await listen(service.app, 0)
  await service.takeUp()
  const createKey = async (account: string) =>
    (await createApiKey(service.store.db, (await ensureAccount(service.store.db, account)).id)).key
  return {
    baseUrl: `http://127.0.0.1:${listening.port}`,
    key: await createKey('default'),
    dir: folder,
    createKey,
    beginNight: service.beginNight,
    async [Symbol.asyncDispose]() {
      const closing = listening.close(200)
      await service.close()
      await closing
      if (dir === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A server that was added earlier, stored without contacting it again. Returns its id. */
export async function keepMachine(
  { dir }: TestService,
  { host, port, name = 'kept', hostKey }: { host: string; port: number; name?: string; hostKey?: string },
): Promise<string> {
  const db = openStore(join(dir, 'data', 'service.db'))
  const store = { db, ring: await openRing(db, join(dir, 'keys', 'kek.key')) }
  const { id: accountId } = await ensureAccount(db, 'default')
  const id = randomUUID()
  const shown = hostKey ?? `SHA256:${id}`
  const names = { name, dns: '', region: '', type: '', hostname: name, ip: '' }
  await createMachine(store, { id, accountId, provider: 'ssh', host, port, user: 'root', hostKey: shown, ...names, ...createOwnKey() })
  await db.$disconnect()
  return id
}
