/** Servers of accounts: rows, each with its encrypted private key. */

import { open, seal } from '@/lib/sealing/envelope'
import type { Machine as MachineRow } from '@/prisma/generated/service/client'
import type { Store } from './store'

export type { MachineRow }

/** Restricts a query to the present servers of an account: not those that it deleted. */
export const ofAccount = (accountId: string) => ({ accountId, removedAt: null }) as const

/** An admitted server. The private key is encrypted before the row is written; it is empty for a sandbox server. */
export type NewMachine = Omit<MachineRow, 'createdAt' | 'removedAt' | 'state' | 'sealedKey' | 'upgradesAtNight'> & {
  privateKey: string
  /** The sandbox server's first model; absent for a real one. */
  sandboxModel?: string
}

/** Bound to the row's id and account, so that an encrypted key copied to another row cannot be decrypted. */
export const bindMachineKey = (machine: { id: string; accountId: string }) => [
  'gatehouse',
  '1',
  'Machine',
  'sealedKey',
  machine.id,
  machine.accountId,
]

/** Writes the row, with the model of a sandbox server. Throws if the account already has a server with that host key. */
export async function createMachine(store: Store, machine: NewMachine): Promise<MachineRow> {
  return createMachineStatement(store, machine, await sealKey(store, machine))
}

/** The same as a statement of a transaction, with the sealed key. */
export function createMachineStatement(store: Store, machine: NewMachine, sealedKey: SealedKey) {
  const { privateKey: _, sandboxModel, ...fields } = machine
  const sandbox = sandboxModel === undefined ? {} : { sandbox: { create: { model: sandboxModel } } }
  return store.db.machine.create({ data: { ...fields, state: 'new', sealedKey, ...sandbox } })
}

/** A statement that makes a server which the account deleted a present one again, with what was admitted now. */
export function returnMachineStatement(store: Store, machine: NewMachine, sealedKey: SealedKey, state: MachineRow['state']) {
  const { id, privateKey: _, sandboxModel: __, ...fields } = machine
  return store.db.machine.update({ where: { id }, data: { ...fields, sealedKey, state, removedAt: null } })
}

/** null for a sandbox server. */
type SealedKey = Uint8Array<ArrayBuffer> | null

/** Encrypts the private key of a server. Call it right before the row is written. Throws KeyFileError if the key in use cannot be read. */
export async function sealKey(store: Store, machine: Pick<NewMachine, 'id' | 'accountId' | 'privateKey'>): Promise<SealedKey> {
  if (!machine.privateKey) return null
  const kek = await store.ring.current()
  const plaintext = Buffer.from(machine.privateKey, 'utf8')
  try {
    return seal({ kek, plaintext, aad: bindMachineKey(machine) })
  } finally {
    plaintext.fill(0)
  }
}

/** Decrypts the server's private key for one call. Empty for a sandbox server. Throws SealBroken. */
export function openMachineKey(store: Store, machine: MachineRow): string {
  if (!machine.sealedKey) return ''
  const plaintext = open({ keks: store.ring.find, blob: machine.sealedKey, aad: bindMachineKey(machine) })
  try {
    return plaintext.toString('utf8')
  } finally {
    plaintext.fill(0)
  }
}

// Lists are long and often requested, so only the displayed columns are read.
const listed = { id: true, name: true, dns: true, hostname: true, provider: true, state: true, hostKey: true, ip: true } as const

export type ListedMachine = Pick<MachineRow, keyof typeof listed>

export async function listMachines(store: Store, accountId: string): Promise<ListedMachine[]> {
  return store.db.machine.findMany({ where: ofAccount(accountId), select: listed, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] })
}

/** Null if there is none with that id or it belongs to another account: callers cannot tell the two apart. */
export async function findMachine(store: Store, accountId: string, id: string): Promise<MachineRow | null> {
  return store.db.machine.findFirst({ where: { id, ...ofAccount(accountId) } })
}

export async function findMachineByHostKey(store: Store, accountId: string, hostKey: string): Promise<MachineRow | null> {
  return store.db.machine.findFirst({ where: { hostKey, ...ofAccount(accountId) } })
}

/** Writes display name and DNS provider together. False if the account has no server with that id. */
export async function nameMachine(store: Store, accountId: string, id: string, names: { name: string; dns: string }): Promise<boolean> {
  return (await store.db.machine.updateMany({ where: { id, ...ofAccount(accountId) }, data: names })).count === 1
}

export async function noteHostname(store: Store, id: string, hostname: string): Promise<void> {
  await store.db.machine.update({ where: { id }, data: { hostname } })
}

/**
 * Stores a server's new key, user and host key. A different host key may mean that the server was reinstalled, so it counts as not
 * installed until the next install, which skips finished steps.
 */
export async function rekeyMachine(store: Store, machine: MachineRow, privateKey: string): Promise<void> {
  const { id, user, hostKey, publicKey, ip, hostname } = machine
  const sealedKey = await sealKey(store, { ...machine, privateKey })
  await store.db.$transaction([
    // A server that the account deleted, and that this one has become.
    store.db.machine.deleteMany({ where: { accountId: machine.accountId, hostKey, NOT: [{ id }, { removedAt: null }] } }),
    store.db.machine.updateMany({ where: { id, hostKey: { not: hostKey } }, data: { state: 'new' } }),
    store.db.machine.update({ where: { id }, data: { user, hostKey, publicKey, ip, hostname, sealedKey } }),
  ])
}

/** Whether its sites of earlier versions are brought up to date at night. */
export async function noteUpgradesAtNight(store: Store, id: string, upgradesAtNight: boolean): Promise<void> {
  await store.db.machine.update({ where: { id }, data: { upgradesAtNight } })
}

/** Installed servers of all accounts that are brought up to date at night. */
export async function listUpgradedAtNight(store: Store): Promise<MachineRow[]> {
  return store.db.machine.findMany({ where: { upgradesAtNight: true, removedAt: null, state: 'ready' } })
}

/** Takes a server with sites from its account: what is known of it stays, except for its key. */
export async function removeMachine(store: Store, id: string): Promise<void> {
  await store.db.machine.update({ where: { id }, data: { removedAt: new Date(), sealedKey: null } })
}

/** The server with that host key that the account deleted while it had sites; null if there is none. */
export async function findRemovedMachine(store: Store, accountId: string, hostKey: string): Promise<MachineRow | null> {
  return store.db.machine.findFirst({ where: { accountId, hostKey, NOT: { removedAt: null } } })
}

/** Deletes the row with everything that belongs to it: runs, events, the sandbox model. */
export async function deleteMachine(store: Store, id: string): Promise<void> {
  await store.db.machine.delete({ where: { id } })
}
