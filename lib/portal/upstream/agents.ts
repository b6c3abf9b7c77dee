/** Sockets to upstream services: kept alive per credential, closed after 30 s without use, never shared between two credentials. */
import 'server-only'
import { Agent } from 'undici'
import type { Target } from './address'
import { createConnector } from './connector'

/** One use of a credential's sockets. Call `release` once, when the exchange is over. */
export type Lease = { agent: Agent; release: () => void }

type Entry = { agent: Agent; leases: number; closing: NodeJS.Timeout | undefined }

const idleMs = 30_000
const entries = new Map<string, Entry>()

/** Borrows the agent of a credential for one call. A different address or version of the credential gets a different agent. */
export function borrowAgent(credentialId: string, target: Target): Lease {
  const name = `${credentialId} ${target.origin}`
  const entry = entries.get(name) ?? createEntry(name, target)
  clearTimeout(entry.closing)
  entry.leases += 1
  let released = false
  const release = () => {
    if (released) return
    released = true
    entry.leases -= 1
    if (entry.leases === 0) entry.closing = setTimeout(() => closeEntry(name, entry), idleMs).unref()
  }
  return { agent: entry.agent, release }
}

/** The number of credentials with open sockets. */
export const countAgents = (): number => entries.size

/** Closes all sockets immediately, which makes running calls fail. For the end of the process. */
export async function closeAgents(): Promise<void> {
  const open = [...entries]
  entries.clear()
  for (const [, entry] of open) clearTimeout(entry.closing)
  await Promise.all(open.map(([, entry]) => entry.agent.destroy()))
}

function createEntry(name: string, target: Target): Entry {
  const agent = new Agent({
    connect: createConnector(target),
    pipelining: 1,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    // The watch of each call enforces the limits, which include name lookup and connecting.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const entry: Entry = { agent, leases: 0, closing: undefined }
  entries.set(name, entry)
  return entry
}

function closeEntry(name: string, entry: Entry): void {
  // Already closed and removed by closeAgents.
  if (entry.leases > 0 || entries.get(name) !== entry) return
  entries.delete(name)
  void entry.agent.close()
}
