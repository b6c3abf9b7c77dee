/** How records on servers name the account that a site belongs to. */
import { createHash } from 'node:crypto'

/** A tag that is the same for each call, and from which neither the account nor its id can be found. Hexadecimal digits. */
export const ownerTag = (accountId: string): string =>
  createHash('sha256').update(`gatehouse account\0${accountId}`).digest('hex').slice(0, 32)
