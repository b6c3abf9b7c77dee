/** The crowd of simulated servers of an account, written by the hundred. */
import { randomUUID } from 'node:crypto'
import { type CrowdMember, createCrowdMember, crowdLogin } from '../machines/sandbox/crowd'
import { crowdDomain } from '../machines/sandbox/host'
import type { Database } from './store'

const batch = 1000

/** Gives the account so many more, going on where an earlier call ended. Those it got so far stay as they are. */
export async function fillAccount(db: Database, accountId: string, count: number): Promise<void> {
  const [first, nowMs] = [await findCrowdEnd(db, accountId), Date.now()]
  for (let done = 0; done < count; done += batch) {
    const members = Array.from({ length: Math.min(batch, count - done) }, (_, index) => createCrowdMember(first + done + index, nowMs))
    await insertCrowd(db, accountId, members)
  }
}

/** The number after the highest that the account has. */
async function findCrowdEnd(db: Database, accountId: string): Promise<number> {
  const rows = await db.machine.findMany({
    where: { accountId, provider: 'sandbox', host: { endsWith: `.${crowdDomain}` } },
    select: { host: true },
  })
  return rows.reduce((end, { host }) => Math.max(end, Number(/^n(\d+)\./.exec(host)?.[1] ?? -1) + 1), 0)
}

/**
 * Writes the members with their simulated machines, all or none. As one JSON text that the database takes apart itself:
 * thousands of rows by single statements would take half a minute.
 */
async function insertCrowd(db: Database, accountId: string, members: readonly CrowdMember[]): Promise<void> {
  const now = new Date()
  const json = JSON.stringify(members.map((member) => ({ id: randomUUID(), ...member })))
  const { port, user } = crowdLogin
  await db.$transaction([
    db.$executeRaw`
      INSERT INTO "Machine" ("id", "accountId", "provider", "name", "dns", "hostname", "host", "port", "user", "region", "type", "ip",
        "state", "hostKey", "publicKey", "createdAt")
      SELECT value->>'id', ${accountId}, 'sandbox', value->>'name', value->>'dns', value->>'hostname', value->>'host', ${port}, ${user},
        value->>'region', '', value->>'ip', value->>'state', value->>'hostKey', '', ${now}
      FROM json_each(${json})`,
    db.$executeRaw`INSERT INTO "SandboxState" ("machineId", "model") SELECT value->>'id', value->>'model' FROM json_each(${json})`,
  ])
}
