/** The portal's own ids for servers, sites and jobs: random and URL-safe. */
import 'server-only'
import { randomBytes } from 'node:crypto'

export function createOpaqueId(): string {
  return randomBytes(16).toString('base64url')
}

/** Whether an untrusted value has the form of such an id. Other values never reach the database. */
export function isOpaqueId(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9_-]{8,64}$/.test(value)
}
