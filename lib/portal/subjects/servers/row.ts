/** A server and a connection in the form that pages use. */
import 'server-only'
import { contract } from '@/lib/contract'
import type { Reachability } from '@/lib/contract/reachability'
import { canAct, isSimulated } from '@/lib/portal/access/connections'
import { rankOf } from '@/lib/portal/access/loans/compile'
import type { Connection, Job, Server } from '@/prisma/generated/portal/client'

/** One line of the list. Kept small, because there may be thousands. */
export type ListedServer = {
  /** The portal's own opaque id. */
  id: string
  name: string
  hostname: string
  dns: string
  /** IPv4 or IPv6, or the host it was added with; empty if the service never reported one. */
  address: string
  provider: string
  /** new, installing, ready, failed; empty if the service does not report it. */
  state: string
  sandbox: boolean
  /** Label of the connection to be used. */
  connectionLabel: string
  /** Whether the preferred service announces extensions. How other services set up servers is unknown. */
  extensions: boolean
  runningJobId: string | null
  /** Sorted. */
  labels: string[]
  /** The result of the newest check; unknown while its connection does not answer. */
  reach: Reachability
}

export type ServerRow = ListedServer & {
  /** Label of the connection to be used, if there is a choice: more than one could be. Else null. */
  acting: string | null
  hostKey: string
  /** When a service last listed it, ISO; up to a minute old while nothing changes. */
  listedAt: string
}

/** The relations needed to show a server. */
export const beside = {
  jobs: { where: { state: 'running', operation: contract.servers.install.id } },
  connections: { include: { connection: true } },
} as const

type ServerWithBeside = Server & { jobs: Job[]; connections: { provenAt: Date; connection: Connection }[] }

type Beside = { userId: string | null; labels: string[]; reach: Reachability }

/**
 * For a server with the connections that the user may use for it. Those that work come first, own before shared before lent ones, then the
 * most recently verified: the same order as in chooseConnection.
 */
export function toServerRow(server: ServerWithBeside, { userId, labels, reach }: Beside): ServerRow {
  const ranked = server.connections.toSorted(
    (a, b) =>
      Number(canAct(b.connection)) - Number(canAct(a.connection)) ||
      rankOf(a.connection, userId) - rankOf(b.connection, userId) ||
      b.provenAt.getTime() - a.provenAt.getTime(),
  )
  const [acting] = ranked
  return {
    id: server.id,
    name: server.name,
    hostname: server.hostname,
    dns: server.dns,
    address: server.address,
    provider: server.provider,
    state: server.state,
    hostKey: server.hostKey,
    extensions: acting?.connection.extensions ?? false,
    acting: ranked.filter(({ connection }) => canAct(connection)).length > 1 ? (acting?.connection.label ?? null) : null,
    sandbox: acting !== undefined && isSimulated(server, acting.connection),
    connectionLabel: acting?.connection.label ?? '',
    runningJobId: server.jobs[0]?.id ?? null,
    labels,
    reach,
    listedAt: server.listedAt.toISOString(),
  }
}
