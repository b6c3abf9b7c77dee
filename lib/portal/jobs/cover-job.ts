/** The job that orders a certificate for all names of a batch. Each batch has at most one, whichever process starts it. */
import 'server-only'
import { createHash } from 'node:crypto'

export const coverFields = { status: '1' }

/** Its id, so that a later process of the portal finds it and can follow it on. */
export const coverJobIdOf = (batchId: string): string =>
  createHash('sha256').update(`certificate\n${batchId}`).digest('base64url').slice(0, 22)
