/** The portal's own ids for servers, sites and jobs: random, and good in a URL. */
import 'server-only'
import { randomBytes } from 'node:crypto'

export function createOpaqueId(): string {
  return randomBytes(16).toString('base64url')
}

/** Whether a value from outside can be such an id at all; what cannot never reaches the database. */
export function isOpaqueId(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9_-]{8,64}$/.test(value)
}
