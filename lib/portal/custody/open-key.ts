/** Decrypts a connection's API key for the duration of one call. Only `upstream` may import this: dependency-cruiser enforces that. */
import 'server-only'
import { SealBroken } from '@/lib/sealing/envelope'
import type { Connection } from '@/prisma/generated/portal/client'
import { bindConnection, type ConnectionIdentity } from './binding'
import { openUnderRing } from './ring'

/** The members of a connection that a call needs. */
export type CallableConnection = ConnectionIdentity & Pick<Connection, 'sealedKey'>

/** Decrypts the key for `use` and overwrites it afterwards. Returns null without calling `use` if the key cannot be decrypted. */
export async function withOpenKey<T>(connection: CallableConnection, use: (key: Buffer) => Promise<T>): Promise<T | null> {
  let key: Buffer
  try {
    key = await openUnderRing(connection.sealedKey, bindConnection(connection))
  } catch (error) {
    if (error instanceof SealBroken) return null
    throw error
  }
  try {
    return await use(key)
  } finally {
    key.fill(0)
  }
}
