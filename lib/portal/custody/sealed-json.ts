/** Several secrets of one row as one encrypted value. */
import 'server-only'
import { SealBroken } from '@/lib/sealing/envelope'
import { openUnderRing, sealUnderRing } from './ring'

export type SealedJson = { kekId: string; sealed: Uint8Array<ArrayBuffer> }

export async function sealJson(secrets: object, aad: readonly string[]): Promise<SealedJson> {
  const plaintext = Buffer.from(JSON.stringify(secrets), 'utf8')
  try {
    return await sealUnderRing(plaintext, aad)
  } finally {
    plaintext.fill(0)
  }
}

/** Null if it cannot be decrypted, as when the row was changed in the database. The seal vouches for the shape. */
export async function openJson<T extends object>(sealed: Uint8Array, aad: readonly string[]): Promise<T | null> {
  try {
    const plaintext = await openUnderRing(sealed, aad)
    const secrets: T = JSON.parse(plaintext.toString('utf8'))
    plaintext.fill(0)
    return secrets
  } catch (error) {
    if (error instanceof SealBroken) return null
    throw error
  }
}
