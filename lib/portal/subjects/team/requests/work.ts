/** What is asked for, as a grant would give it. */
import 'server-only'
import type { Effect } from '@/lib/contract/operation'
import { formatAccess, type GivenWork, type NamedScope } from '@/lib/text/access'
import type { AccessRequest } from '@/prisma/generated/portal/client'

const isEffect = (text: string): text is Effect => ['read', 'export', 'change', 'destroy'].includes(text)

export const effectsOf = ({ effects }: Pick<AccessRequest, 'effects'>): Effect[] => effects.split(',').filter(isEffect)

/** What is asked for and where, in words. place: null for what only words say. */
export const aboutOf = (row: Pick<AccessRequest, 'subject' | 'effects' | 'root' | 'wanted'>, place: NamedScope | null): string =>
  place === null ? `“${row.wanted}”` : formatAccess(workOf(row), [place])

const workOf = (asked: Pick<AccessRequest, 'subject' | 'effects' | 'root'>): GivenWork => ({
  subjects: [asked.subject],
  effects: effectsOf(asked),
  operations: [],
  root: asked.root,
})
