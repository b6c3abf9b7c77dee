/** Which of many servers a person may see. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import type { Actor } from '@/lib/portal/identity/actor'
import { listUsableConnections } from './connections'

/** Names by id. What is another team's, behind somebody else's key, gone or never was, is left out. */
export async function findVisibleNames(actor: Actor, ids: readonly string[]): Promise<Map<string, string>> {
  const usable = (await listUsableConnections(actor)).map(({ id }) => id)
  const rows = await db().$queryRaw<{ id: string; name: string }[]>`
    SELECT "id", "name" FROM "Server"
    WHERE "teamId" = ${actor.team.id} AND "goneAt" IS NULL AND "id" IN (SELECT value FROM json_each(${JSON.stringify(ids)}))
      AND EXISTS (SELECT 1 FROM "ServerOnConnection" WHERE "serverId" = "Server"."id"
        AND "connectionId" IN (SELECT value FROM json_each(${JSON.stringify(usable)})))
    ORDER BY "name", "id"`
  return new Map(rows.map(({ id, name }) => [id, name]))
}
