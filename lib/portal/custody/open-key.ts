/** A connection's key, open for as long as one call takes. Only upstream may use it: dependency-cruiser holds that. */
import 'server-only'
import { SealBroken } from '@/lib/sealing/envelope'
import type { Connection } from '@/prisma/generated/portal/client'
import { bindConnection, type ConnectionIdentity } from './binding'
import { openUnderRing } from './ring'

/** A row of Connection, as far as a call needs it. */
export type CallableConnection = ConnectionIdentity & Pick<Connection, 'sealedKey'>

/** Opens the key for `use` and overwrites it afterwards. Null where the key does not open: then `use` was not called. */
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
