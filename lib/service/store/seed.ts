/** Creates many sandbox servers for an account, hundreds at a time. */
import { randomUUID } from 'node:crypto'
import { seedDomain } from '../machines/sandbox/host'
import { createSeedServer, seedLogin } from '../machines/sandbox/seed'
import { insertSeed } from './sql/seed'
import type { Database } from './store'

const batch = 1000

/** Adds this many to the account and continues where an earlier call ended. Existing servers stay unchanged. */
export async function fillAccount(db: Database, accountId: string, count: number): Promise<void> {
  const [first, nowMs] = [await findCrowdEnd(db, accountId), Date.now()]
  for (let done = 0; done < count; done += batch) {
    const members = Array.from({ length: Math.min(batch, count - done) }, (_, index) => ({
      id: randomUUID(),
      ...createSeedServer(first + done + index, nowMs),
    }))
    await insertSeed(db, accountId, seedLogin, members)
  }
}

/** The first number after the highest one in use. */
async function findCrowdEnd(db: Database, accountId: string): Promise<number> {
  const rows = await db.machine.findMany({
    where: { accountId, provider: 'sandbox', host: { endsWith: `.${seedDomain}` } },
    select: { host: true },
  })
  return rows.reduce((end, { host }) => Math.max(end, Number(/^n(\d+)\./.exec(host)?.[1] ?? -1) + 1), 0)
}
