/** Sites that are on a server already when an account adds it, as rows. */
import type { SiteRecord } from '../machines/site-records'
import { createMachineStatement, type MachineRow, type NewMachine, returnMachineStatement, sealKey } from './machines'
import type { Store } from './store'

/** A row with the id of a site, on another server than that of `findRows`. */
export type OtherRow = { id: string; accountId: string; hostKey: string }

/** Which of the ids are known: on the server that the account deleted, and elsewhere. former: the id of that server; null if there is none. */
export async function findKnownSites(
  store: Store,
  former: string | null,
  ids: readonly string[],
): Promise<{ own: ReadonlySet<string>; elsewhere: ReadonlyMap<string, OtherRow> }> {
  const rows = await store.db.site.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, machineId: true, machine: { select: { accountId: true, hostKey: true } } },
  })
  const others = rows.filter(({ machineId }) => machineId !== former)
  return {
    own: new Set(rows.filter(({ machineId }) => machineId === former).map(({ id }) => id)),
    elsewhere: new Map(others.map(({ id, machine }) => [id, { id, ...machine }])),
  }
}

/** How many sites the server has, with staging copies. */
export async function listSitesOn(store: Store, machineId: string): Promise<{ id: string; domain: string; stagingOf: string }[]> {
  return store.db.site.findMany({ where: { machineId }, select: { id: true, domain: true, stagingOf: true }, orderBy: { domain: 'asc' } })
}

type Kept = {
  /** The server that the account deleted; null for a new one. */
  former: MachineRow | null
  /** The sites on the server that become the account's. */
  adopted: readonly SiteRecord[]
}

/**
 * Stores an admitted server with the sites that it has already, in one transaction. Rows of sites that are no longer on a server which was deleted
 * go, and so do rows of other accounts whose sites were taken over. Throws if the account already has a server with that host key.
 */
export async function keepMachine(store: Store, machine: NewMachine, { former, adopted }: Kept): Promise<MachineRow> {
  const { site } = store.db
  const state = adopted.length > 0 && former ? former.state : 'new'
  const ids = adopted.map(({ id }) => id)
  const live = new Map(adopted.map(({ name, id }) => [name, id]))
  const sealedKey = await sealKey(store, machine)
  const keep = former ? returnMachineStatement(store, machine, sealedKey, state) : createMachineStatement(store, machine, sealedKey)
  const [row] = await store.db.$transaction([
    keep,
    site.deleteMany({ where: { machineId: machine.id, id: { notIn: ids } } }),
    site.deleteMany({ where: { id: { in: ids }, NOT: { machineId: machine.id } } }),
    ...adopted.map(({ id, name, domain, aliases, copyOf, isBeingDeleted }) => {
      const names = { create: aliases.map((alias) => ({ domain: alias })) }
      const known = { machineId: machine.id, name, domain, deleting: false, stagingOf: live.get(copyOf) ?? '' }
      return site.upsert({
        where: { id },
        create: { id, ...known, state: isBeingDeleted ? 'failed' : 'ready', aliases: names },
        update: { ...known, checkedAt: null, ...(isBeingDeleted && { state: 'failed' as const }), aliases: { deleteMany: {}, ...names } },
      })
    }),
  ])
  return row
}
