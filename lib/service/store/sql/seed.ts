/** Raw SQL: sandbox servers by the thousand. */
import type { SeedServer } from '../../machines/sandbox/seed'
import type { Database } from '../store'

type Login = { port: number; user: string }

/**
 * Raw because thousands of rows in single statements would take half a minute: the rows are one JSON text that the database parses.
 * All or none.
 */
export async function insertSeed(db: Database, accountId: string, login: Login, members: readonly (SeedServer & { id: string })[]) {
  const [now, json] = [new Date(), JSON.stringify(members)]
  await db.$transaction([
    db.$executeRaw`
      INSERT INTO "Machine" ("id", "accountId", "provider", "name", "dns", "hostname", "host", "port", "user", "region", "type", "ip",
        "state", "hostKey", "publicKey", "createdAt")
      SELECT value->>'id', ${accountId}, 'sandbox', value->>'name', value->>'dns', value->>'hostname', value->>'host', ${login.port},
        ${login.user}, value->>'region', '', value->>'ip', value->>'state', value->>'hostKey', '', ${now}
      FROM json_each(${json})`,
    db.$executeRaw`INSERT INTO "SandboxState" ("machineId", "model") SELECT value->>'id', value->>'model' FROM json_each(${json})`,
  ])
}
