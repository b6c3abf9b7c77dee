/** Deleting several things of a server at once, after their number was typed in place of a name. */
import 'server-only'
import * as z from 'zod'
import type { Input, Operation } from '@/lib/contract/operation'
import type { mail } from '@/lib/contract/operations/mail'
import type { serverBackups } from '@/lib/contract/operations/server-backups'
import { type Outcome, problem } from '@/lib/contract/problem'
import { type OwnInput, ownAction } from '@/lib/portal/spine/guarded-action'
import { findServer } from '../servers/find'
import { runOperation } from '../spine'

type CountedDelete = typeof mail.delete | typeof serverBackups.delete

const idList = z.array(z.string().min(1)).min(1) satisfies z.ZodType<Input<Operation & CountedDelete>['ids']>

/** The action. Reads `serverId`, `ids` (a JSON array of what the list calls them) and, as `confirmName`, how many they are. */
export const deleteCountedAction = (operation: CountedDelete) => ownAction(operation.id, (input) => deleteCounted(operation, input))

export async function deleteCounted(operation: CountedDelete, { actor, requestId, field }: OwnInput): Promise<Outcome<object>> {
  const ids = readIds(field('ids'))
  if (ids === null) return { ok: false, problem: problem('invalid', { sentence: 'Nothing was chosen. Load the page again.' }) }
  const count = String(ids.length)
  if (field('confirmName').trim() !== count) {
    return { ok: false, problem: problem('invalid', { fields: { confirmName: `Type ${count} to confirm.` } }) }
  }
  const server = await findServer(actor, field('serverId'))
  if (!server) return { ok: false, problem: problem('not_found') }
  const outcome = await runOperation(actor, operation, { serverId: server.id }, { ids }, { confirmName: server.name, requestId })
  return outcome.ok ? { ok: true, data: {} } : outcome
}

function readIds(text: string): string[] | null {
  try {
    return [...new Set(idList.parse(JSON.parse(text)))]
  } catch {
    return null
  }
}
