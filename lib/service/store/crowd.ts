/** The crowd of simulated servers of an account, written by the hundred. */
import { randomUUID } from 'node:crypto'
import { type CrowdMember, crowdLogin } from '../machines/sandbox/crowd'
import { crowdDomain } from '../machines/sandbox/host'
import type { Database } from './store'

/** How many of the crowd the account has been given so far, removed ones in between included. */
export async function findCrowdEnd(db: Database, accountId: string): Promise<number> {
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
export async function insertCrowd(db: Database, accountId: string, members: readonly CrowdMember[]): Promise<void> {
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
