/** Which parts of a site a pull or push copies. An empty list of tables means all of them to some services, so it is never sent. */
import 'server-only'
import { type Problem, problem } from '@/lib/contract/problem'
import type { Target } from '@/lib/portal/access/decide'
import type { Person } from '@/lib/portal/identity/actor'

type ReadField = (name: string) => string | undefined

/** Null for at least one part. A new password for the staging copy is enough for a pull. */
export async function refuseNoParts(_actor: Person, _target: Target, field: ReadField): Promise<Problem | null> {
  const database = isOn(field, 'database')
  if (database && !field('tables')) return problem('invalid', { sentence: 'Choose at least one table.' })
  if (database || isOn(field, 'files') || isOn(field, 'new_password')) return null
  return problem('invalid', { sentence: 'Choose the files, tables or both.' })
}

const isOn = (field: ReadField, name: string): boolean => field(name) === '1'
