/** All servers a person may see, from the rows, quickly: thousands are read with every poll of every page. */
import 'server-only'
import type { Connection } from '@/prisma/generated/portal/client'
import { db } from '../db'
import type { Actor } from '../identity/actor'
import { silenceMs } from '../jobs/heard'
import { readLabels } from '../labels/labels'
import type { ListedServer } from './row'

/** One row as the database writes it; the last member is the connection that would act. */
type Line = [
  id: string,
  name: string,
  hostname: string,
  dns: string,
  address: string,
  provider: string,
  state: string,
  acting: string | null,
]

/** Those that one of the usable connections lists, by name. */
export async function readListedServers(actor: Actor, usable: readonly Connection[]): Promise<ListedServer[]> {
  const [lines, jobs, labels] = await Promise.all([readLines(actor, usable), readRunningJobs(actor), readLabels(actor.team.id, 'server')])
  const labelOf = new Map(usable.map(({ id, label }) => [id, label]))
  return lines.flatMap(([id, name, hostname, dns, address, provider, state, acting]) =>
    acting === null
      ? []
      : [
          {
            ...{ id, name, hostname, dns, address, provider, state },
            sandbox: provider === 'sandbox',
            connectionLabel: labelOf.get(acting) ?? '',
            runningJobId: jobs.get(id) ?? null,
            labels: labels.get(id) ?? [],
          },
        ],
  )
}

/**
 * As one JSON text made by the database: row by row it would take ten times as long. Own connections act before lent
 * ones, then the one proven most recently: the same order as when it acts.
 */
async function readLines(actor: Actor, usable: readonly Connection[]): Promise<Line[]> {
  const ranked = JSON.stringify(usable.map(({ id, ownerId }) => ({ id, own: ownerId === null ? 0 : 1 })))
  const [row] = await db().$queryRaw<[{ lines: string }]>`
    SELECT json_group_array(json_array("id", "name", "hostname", "dns", "address", "provider", "state", (
      SELECT "connectionId" FROM "ServerOnConnection" JOIN json_each(${ranked}) AS usable ON usable.value->>'id' = "connectionId"
      WHERE "serverId" = "Server"."id" ORDER BY usable.value->>'own' DESC, "provenAt" DESC LIMIT 1
    )) ORDER BY "name", "id") AS "lines"
    FROM "Server" WHERE "teamId" = ${actor.team.id} AND "goneAt" IS NULL`
  return JSON.parse(row.lines)
}

/** Ids of jobs that are believed to run, by server. */
async function readRunningJobs(actor: Actor): Promise<Map<string, string>> {
  const jobs = await db().job.findMany({
    where: { teamId: actor.team.id, state: 'running', heardAt: { gt: new Date(Date.now() - silenceMs) } },
    select: { id: true, serverId: true },
  })
  return new Map(jobs.flatMap(({ id, serverId }) => (serverId === null ? [] : [[serverId, id] as const])))
}
