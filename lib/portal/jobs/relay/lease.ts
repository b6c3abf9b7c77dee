/** Which process a job's relay belongs to. Rows are written only under the lease they carry. */
import 'server-only'
import { randomBytes } from 'node:crypto'

// Shared by all route bundles of the process.
const holder: { gatehouseLease?: string } = globalThis as object

/** Random per process: a process that comes back is another one. */
export function processLease(): string {
  holder.gatehouseLease ??= randomBytes(16).toString('base64url')
  return holder.gatehouseLease
}
