/** Checks the text that a user types to confirm an irreversible action. */
import 'server-only'
import type { Operation } from '@/lib/contract/operation'
import { onlyAsks } from '@/lib/contract/policy'
import { type Problem, problem } from '@/lib/contract/problem'
import { isTypedName, showBidiControls } from '@/lib/text/bidi'

/** name: the target's name. fields: the request fields. typed: the user's input. */
type Asked = { name: string; fields: Readonly<Record<string, unknown>>; typed: string | undefined }

/** Null if no confirmation is needed or the right text was typed; see `Confirm` in the contract. */
export function refuseUnconfirmed(operation: Operation, { name, fields, typed }: Asked): Problem | null {
  const { confirm } = operation
  if (confirm === undefined || onlyAsks(operation, fields)) return null
  if (confirm === 'name') return refuseName(name, typed)
  const value = fields[confirm.field]
  if (operation.fields[confirm.field]?.kind === 'list') return refuseCount(Array.isArray(value) ? value.length : 0, typed)
  return refuseName(typeof value === 'string' ? value : '', typed)
}

function refuseName(name: string, typed: string | undefined): Problem | null {
  if (name !== '' && typed !== undefined && isTypedName(typed, name)) return null
  return problem('invalid', { fields: { confirmName: `Type the name “${showBidiControls(name)}” to confirm.` } })
}

function refuseCount(count: number, typed: string | undefined): Problem | null {
  if (count === 0) return problem('invalid', { sentence: 'Nothing is selected. Reload the page.' })
  return typed?.trim() === String(count) ? null : problem('invalid', { fields: { confirmName: `Type ${count} to confirm.` } })
}
