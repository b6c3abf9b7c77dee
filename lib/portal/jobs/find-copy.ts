/** A copy that a member may read back into a site. */
import 'server-only'
import type { Operation } from '@/lib/contract/operation'
import { type Outcome, problem } from '@/lib/contract/problem'
import { recordDenied } from '@/lib/portal/access/denied'
import type { Person } from '@/lib/portal/identity/actor'
import { refuseSite } from '@/lib/portal/subjects/backup-targets/find'
import { listRestorable, type RestorableCopy } from '@/lib/portal/subjects/backup-targets/restorable'
import type { Site } from '@/prisma/generated/portal/client'

/** The newest that is wanted. operation: what is to be done with it. Logs refusals. */
export async function findCopy(
  actor: Person,
  operation: Operation,
  site: Site | null,
  isWanted: (copy: RestorableCopy) => boolean,
): Promise<Outcome<RestorableCopy>> {
  const copy = site && (await listRestorable(actor, site)).find(isWanted)
  if (!copy) {
    await recordDenied(actor, operation.id, { kind: 'site', id: site?.id }, 'not_found')
    return { ok: false, problem: problem('not_found') }
  }
  const { target } = copy.repository
  // The service gets its key, as with a copy; what a member's own target has leaves it here.
  const refused = target.ownerId === null ? await refuseSite(actor, target, site.id) : null
  if (refused === null) return { ok: true, data: copy }
  await recordDenied(actor, operation.id, { kind: 'site', id: site.id }, 'forbidden')
  return { ok: false, problem: problem('forbidden', { sentence: refused }) }
}
