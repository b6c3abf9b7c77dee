/** Which jobs can be started again as they were. */
import 'server-only'
import { contract } from '@/lib/contract'
import type { Operation } from '@/lib/contract/operation'
import type { Job } from '@/prisma/generated/portal/client'

/**
 * Work on a site that needs neither a secret nor a typed confirmation, and whose fields the audit log has whole. Other work is started again on
 * its page, where its form asks for them.
 */
const operations: readonly Operation[] = [
  contract.ssl.set,
  contract.email.set,
  contract.sites.configure,
  contract.aliases.save,
  contract.aliases.delete,
  contract.backups.create,
  contract.sites.download,
]

/** The operation of a job that did not succeed, if it can be started again; null otherwise. */
export function findRepeatable({
  operation,
  state,
  siteId,
  endedAt,
}: Pick<Job, 'operation' | 'state' | 'siteId' | 'endedAt'>): Operation | null {
  const over = endedAt !== null && (state === 'failed' || state === 'cancelled')
  return over && siteId !== null ? (operations.find(({ id }) => id === operation) ?? null) : null
}
