/** Grants as the database has them. */
import 'server-only'
import type { Effect } from '@/lib/contract/operation'
import type { Grant as GrantRow, GrantScope as GrantScopeRow } from '@/prisma/generated/portal/client'
import type { Grant, GrantScope } from './grant'

const effects: readonly Effect[] = ['read', 'export', 'change', 'destroy']

const split = (text: string): string[] => text.split(',').filter(Boolean)

type Scoped = { scopes: readonly Pick<GrantScopeRow, 'kind' | 'about'>[] }

type Columns = Pick<GrantRow, 'id' | 'userId' | 'role' | 'subjects' | 'effects' | 'operations' | 'root' | 'validFrom' | 'until'>

/** Of a grant, or of a loan, which has the same columns. A word that this version does not know gives nothing. */
export function toGrant({ scopes, ...row }: Columns & Scoped): Grant {
  const named = new Set(split(row.effects))
  return {
    id: row.id,
    userId: row.userId,
    role: row.role,
    root: row.root,
    scopes: scopes.map(toScope),
    subjects: row.subjects === '*' ? 'all' : split(row.subjects),
    effects: effects.filter((effect) => named.has(effect)),
    operations: split(row.operations),
    from: row.validFrom.getTime(),
    until: row.until?.getTime() ?? null,
  }
}

function toScope({ kind, about }: Pick<GrantScopeRow, 'kind' | 'about'>): GrantScope {
  if (kind === 'everything') return { kind }
  return kind === 'label' ? { kind, name: about } : { kind, id: about }
}

/** The columns of what is given: the inverse of toGrant. */
export function toColumns({ subjects, effects, operations, root }: Pick<Grant, 'subjects' | 'effects' | 'operations' | 'root'>) {
  return { subjects: subjects === 'all' ? '*' : subjects.join(','), effects: effects.join(','), operations: operations.join(','), root }
}

/** What a grant of everything has in its columns. */
export const fullColumns = toColumns({ subjects: 'all', effects, operations: [], root: true })

/** The grant "everything", as the role limits it: every member had it before there were grants. For a membership that is being created. */
export const everything = (id: string, why: string, now = new Date()) => ({
  id,
  why,
  validFrom: now,
  createdAt: now,
  ...fullColumns,
  scopes: { create: { kind: 'everything' as const } },
})

/** The columns of a scope: the inverse of toScope. */
export function toScopeRow(scope: GrantScope): { kind: GrantScope['kind']; about: string } {
  if (scope.kind === 'everything') return { kind: scope.kind, about: '' }
  return { kind: scope.kind, about: scope.kind === 'label' ? scope.name : scope.id }
}
