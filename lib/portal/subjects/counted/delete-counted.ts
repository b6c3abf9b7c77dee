/** Deletes several items of a server or site at once, confirmed by typing their number. */
import 'server-only'
import * as z from 'zod'
import type { Input, Operation } from '@/lib/contract/operation'
import type { backups } from '@/lib/contract/operations/backups'
import type { lastBackups } from '@/lib/contract/operations/last-backups'
import type { mail } from '@/lib/contract/operations/mail'
import type { serverBackups } from '@/lib/contract/operations/server-backups'
import { type Outcome, problem } from '@/lib/contract/problem'
import { type OwnInput, ownAction } from '@/lib/portal/spine/guarded-action'
import type { Target } from '@/lib/portal/spine/run-operation'
import { runOperation } from '../spine'

type CountedDelete = typeof mail.delete | typeof serverBackups.delete | typeof lastBackups.delete | typeof backups.delete

const idList = z.array(z.string().min(1)).min(1) satisfies z.ZodType<Input<Operation & CountedDelete>['ids']>

/** The action. Reads `serverId` or `siteId`, `ids` (a JSON array of the ids in the list) and, as `confirmName`, their number. */
export const deleteCountedAction = (operation: CountedDelete) => ownAction(operation.id, (input) => deleteCounted(operation, input))

export async function deleteCounted(operation: CountedDelete, { actor, requestId, field }: OwnInput): Promise<Outcome<object>> {
  const ids = readIds(field('ids'))
  if (ids === null) return { ok: false, problem: problem('invalid', { sentence: 'Nothing is selected. Reload the page.' }) }
  const options = { confirmName: field('confirmName'), requestId }
  const outcome = await runOperation(actor, operation, targetOf(operation, field), { ids }, options)
  return outcome.ok ? { ok: true, data: {} } : outcome
}

const targetOf = ({ path }: CountedDelete, field: OwnInput['field']): Target =>
  path.includes('{site_id}') ? { siteId: field('siteId') } : { serverId: field('serverId') }

export function readIds(text: string): string[] | null {
  try {
    return [...new Set(idList.parse(JSON.parse(text)))]
  } catch {
    return null
  }
}
