/** The names of servers where one of them is chosen: two connections may list servers of the same name. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import { nextTurn, slicesOf } from '@/lib/portal/base/turns'
import type { Actor } from '@/lib/portal/identity/actor'
import { canAct, ownerOf } from './connections'
import { rankOf } from './loans/compile'
import { lendingOf } from './loans/read'

type Named = { id: string; name: string }

const readAtOnce = 500

/** Servers that have the same name in different connections get the label behind it: "web · Berlin". Of rows with the same id the first counts. */
export function tellApart<Row extends Named>(rows: readonly Row[], labelOf: (row: Row) => string): Map<string, string> {
  const servers = new Map(rows.toReversed().map((row) => [row.id, { name: row.name, label: labelOf(row) }]))
  const labels = new Map<string, Set<string>>()
  for (const { name, label } of servers.values()) labels.set(name, (labels.get(name) ?? new Set()).add(label))
  const isAlone = (name: string) => (labels.get(name)?.size ?? 0) < 2
  return new Map([...servers].map(([id, { name, label }]) => [id, isAlone(name) ? name : `${name} · ${label}`]))
}

/** The name to show for each of these servers, by id. Reads the connections only of those whose name is there twice. */
export async function readChoiceNames(actor: Actor, servers: readonly Named[]): Promise<Map<string, string>> {
  const times = new Map<string, number>()
  for (const { name } of servers) times.set(name, (times.get(name) ?? 0) + 1)
  const twice = servers.filter(({ name }) => (times.get(name) ?? 0) > 1)
  const labels = await readLabels(
    actor,
    twice.map(({ id }) => id),
  )
  const apart = tellApart(twice, ({ id }) => labels.get(id) ?? '')
  return new Map(servers.map(({ id, name }) => [id, apart.get(id) ?? name]))
}

/** The label of the connection that is used for each server. */
async function readLabels(actor: Actor, ids: readonly string[]): Promise<Map<string, string>> {
  const labels = new Map<string, string>()
  const lent = { id: { in: [...(await lendingOf(actor)).rights.keys()] } }
  const connection = { teamId: actor.team.id, OR: [{ ownerId: null }, { ownerId: ownerOf(actor) }, lent] }
  for (const slice of slicesOf([...ids], readAtOnce)) {
    const where = { serverId: { in: [...slice] }, connection }
    const links = await db().serverOnConnection.findMany({ where, include: { connection: true }, orderBy: { provenAt: 'asc' } })
    // The last one is used: it works, is the user's own or at least the team's, and was verified last.
    const rank = ({ connection }: (typeof links)[number]) => Number(canAct(connection)) * 3 - rankOf(connection, ownerOf(actor))
    for (const link of links.toSorted((one, other) => rank(one) - rank(other))) labels.set(link.serverId, link.connection.label)
    await nextTurn()
  }
  return labels
}
