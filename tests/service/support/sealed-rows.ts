/** A service's database and key file with encrypted rows, without a service. */
import { randomUUID } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAdapter, transactionOptions } from '@/lib/database/prisma-adapter'
import { ensureAccount } from '@/lib/service/store/accounts'
import { openStore } from '@/lib/service/store/db'
import { createMachine, openMachineKey } from '@/lib/service/store/machines'
import { openRing } from '@/lib/service/store/ring'
import type { KeyFiles } from '@/lib/service/store/rotation'
import { revealSecret } from '@/lib/service/store/run-secrets'
import { createSiteRun } from '@/lib/service/store/site-runs'
import type { Database, Store } from '@/lib/service/store/store'
import { PrismaClient } from '@/prisma/generated/service/client'
import { templateOf } from '../../support/database-templates'
import { type FaultyDatabase, openFaultyDatabase } from '../../support/faulty-database'

export type SealedRows = AsyncDisposable & {
  db: Database
  database: string
  files: KeyFiles
  /** The same database, whose statements fail as chosen. */
  disk: FaultyDatabase
  faulty: Database
  /** As a start opens it. */
  open(): Promise<Store>
}

/** This many servers with an SSH key, and one job with a password in its answer. */
export async function makeSealedRows(servers = 2): Promise<SealedRows> {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-sealed-'))
  const database = join(dir, 'service.db')
  copyFileSync(await templateOf('service'), database)
  const files = { current: join(dir, 'keys', 'kek.key'), old: join(dir, 'keys', 'kek.old.key') }
  mkdirSync(join(dir, 'keys'), { mode: 0o700 })
  const db = openStore(database)
  const disk = openFaultyDatabase(database)
  const faulty = new PrismaClient({ adapter: createAdapter(disk.database), transactionOptions })
  const open = async () => ({ db, ring: await openRing(db, files.current) })
  const store = await open()
  const { id: accountId } = await ensureAccount(db, 'default')
  for (let index = 0; index < servers; index += 1) await addServer(store, accountId, `server${index}`)
  const site = { id: randomUUID(), name: 'name', domain: 'one.example', aliases: [] }
  await createSiteRun(store, 'server0', 'apps.install', site, { secret: { user: 'admin', password: 'the password' } })
  return {
    db,
    database,
    files,
    disk,
    faulty,
    open,
    async [Symbol.asyncDispose]() {
      await Promise.all([db.$disconnect(), faulty.$disconnect()])
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** Its private key is “key of ID”. */
export async function addServer(store: Store, accountId: string, id: string): Promise<void> {
  const names = { name: id, dns: '', hostname: '', region: '', type: '', ip: '', publicKey: '' }
  const place = { provider: 'ssh' as const, host: '192.0.2.1', port: 22, user: 'root', hostKey: `SHA256:${id}` }
  await createMachine(store, { id, accountId, ...names, ...place, privateKey: `key of ${id}` })
}

/** Every secret, decrypted. Throws SealBroken if one cannot be. */
export async function readSecrets(store: Store): Promise<string[]> {
  const machines = await store.db.machine.findMany({ orderBy: { id: 'asc' } })
  const runs = await store.db.run.findMany()
  // As if the job had ended now.
  const answers = runs.map((run) => {
    const ended = { ...run, endedAt: new Date(), result: JSON.stringify({ ...JSON.parse(run.result ?? ''), credentials: {} }) }
    return revealSecret(store, ended) ?? ''
  })
  return [...machines.map((machine) => openMachineKey(store, machine)), ...answers]
}
