/** Raw SQL: sandbox servers by the thousand. */

import { Prisma } from '@/prisma/generated/service/client'
import type { SeedServer } from '../../machines/sandbox/seed'
import type { Database } from '../store'
import { dialectOf } from './dialect'

type Login = { port: number; user: string }

/**
 * Raw because thousands of rows in single statements would take half a minute: the rows are one JSON text that the database parses.
 * All or none.
 */
export async function insertSeed(db: Database, accountId: string, login: Login, members: readonly (SeedServer & { id: string })[]) {
  const { items, enumValue } = dialectOf(db)
  const [now, rows] = [new Date(), items(members)]
  await db.$transaction([
    db.$executeRaw`
      INSERT INTO "Machine" ("id", "accountId", "provider", "name", "dns", "hostname", "host", "port", "user", "region", "type", "ip",
        "state", "hostKey", "publicKey", "createdAt")
      SELECT "value"->>'id', ${accountId}, 'sandbox', "value"->>'name', "value"->>'dns', "value"->>'hostname', "value"->>'host',
        ${login.port}, ${login.user}, "value"->>'region', '', "value"->>'ip', ${enumValue(Prisma.sql`"value"->>'state'`, 'MachineState')},
        "value"->>'hostKey', '', ${now}
      FROM ${rows}`,
    db.$executeRaw`INSERT INTO "SandboxState" ("machineId", "model") SELECT "value"->>'id', "value"->>'model' FROM ${rows}`,
  ])
}
