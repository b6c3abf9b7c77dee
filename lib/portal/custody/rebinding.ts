/** Binds connections of an older data folder to their kind and label, once; afterwards the former binding no longer decrypts them. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import { open, SealBroken } from '@/lib/sealing/envelope'
import type { Connection } from '@/prisma/generated/portal/client'
import { bindConnection, bindFormerConnection } from './binding'
import { currentRing, openRing, sealUnderRing } from './ring'
import { type Ring, sealCanary } from './ring-loading'

/**
 * Call it at start-up, while no other process uses the database. Changes all rows and the check values, which state the format,
 * in one transaction. A key that cannot be decrypted stays unchanged and unusable.
 */
export async function rebindConnections(): Promise<void> {
  const ring = await currentRing()
  if (ring.format === 2) return
  const rows = await db().connection.findMany()
  const bound = (await Promise.all(rows.map((row) => rebind(row, ring)))).filter((row) => row !== null)
  await db().$transaction([
    ...bound.map(({ id, rev, ...data }) => db().connection.update({ where: { id, rev }, data: { ...data, rev: rev + 1 } })),
    ...[...ring.keks.values()].map((kek) => db().keyEncryptionKey.update({ where: { id: kek.id }, data: { canary: sealCanary(kek, 2) } })),
  ])
  await openRing()
}

async function rebind(row: Connection, { keks }: Ring): Promise<Pick<Connection, 'id' | 'rev' | 'sealedKey' | 'kekId'> | null> {
  let key: Buffer
  try {
    key = open({ keks: (kekId) => keks.get(kekId), blob: row.sealedKey, aad: bindFormerConnection(row) })
  } catch (error) {
    if (error instanceof SealBroken) return null
    throw error
  }
  try {
    const { sealed, kekId } = await sealUnderRing(key, bindConnection(row))
    return { id: row.id, rev: row.rev, sealedKey: sealed, kekId }
  } finally {
    key.fill(0)
  }
}
