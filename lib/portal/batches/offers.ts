/** What a member may start on several servers or sites at once, and on which of them: for what pages offer. Starting decides again. */
import 'server-only'
import { contract, operations } from '@/lib/contract'
import type { Operation } from '@/lib/contract/operation'
import { findGranted } from '@/lib/portal/access/decide'
import { isAllowed } from '@/lib/portal/access/grants/compile'
import { needOf } from '@/lib/portal/access/grants/needs'
import { rightOf } from '@/lib/portal/access/grants/read'
import { lendingOf } from '@/lib/portal/access/loans/read'
import { serversListedFor, sitesListedFor } from '@/lib/portal/access/visible'
import { db } from '@/lib/portal/base/db'
import type { Actor } from '@/lib/portal/identity/actor'
import { findBatchKind } from './kinds'

/** ids: where these operations may run; null for everywhere that is listed. What may run nowhere is in no offer. */
export type BatchOffer = { operations: string[]; ids: string[] | null }

type Kind = 'server' | 'site'

/** The operations whose right includes changing labels. */
const labelling = { server: contract.servers.update.id, site: contract.sites.configure.id } as const

/** The operations of batches, and the one for labels. */
const offered = (of: Kind): Operation[] => operations.filter(({ id }) => findBatchKind(id)?.noun === of || id === labelling[of])

export async function listBatchOffers(actor: Actor, of: Kind): Promise<BatchOffer[]> {
  const everywhere = await listOffersEverywhere(actor, of)
  if (everywhere) return everywhere
  const ids = await readListed(actor, of)
  const granted = await Promise.all(
    offered(of).map(async (operation) => [operation.id, await findGranted(actor, operation, of, ids)] as const),
  )
  const groups = new Map<string, BatchOffer>()
  for (const [id, set] of granted.filter(([, { size }]) => size > 0)) {
    const own = [...set]
    const group = groups.get(own.join(' ')) ?? { operations: [], ids: own }
    group.operations.push(id)
    groups.set(own.join(' '), group)
  }
  return [...groups.values()]
}

/** Those of somebody for whom each operation is allowed everywhere or nowhere, as for most members; null for others. */
export async function listOffersEverywhere(actor: Actor, of: Kind): Promise<BatchOffer[] | null> {
  const [right, { rights }] = await Promise.all([rightOf(actor), lendingOf(actor)])
  const isWhole = rights.size === 0 && right.rules.every(({ everything }) => everything)
  if (!isWhole) return null
  const allowed = offered(of).filter((operation) => isAllowed(right, needOf(operation), { kind: 'everywhere' }))
  return allowed.length === 0 ? [] : [{ operations: allowed.map(({ id }) => id), ids: null }]
}

async function readListed(actor: Actor, of: Kind): Promise<string[]> {
  // In a lasting order, so that the same access gives the same answer.
  const [select, orderBy] = [{ id: true }, { id: 'asc' }] as const
  const rows =
    of === 'server'
      ? await db().server.findMany({ where: await serversListedFor(actor), select, orderBy })
      : await db().site.findMany({ where: await sitesListedFor(actor), select, orderBy })
  return rows.map(({ id }) => id)
}
