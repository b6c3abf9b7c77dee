import type { AccessView } from '@/lib/portal/subjects/team/access/list'
import type { AccessRequestView } from '@/lib/portal/subjects/team/requests/list'
import type { GivenWork, NamedScope } from '@/lib/text/access'

// Rights that are often given together.

export type Template = { id: string; name: string; hint: string; work: Omit<GivenWork, 'operations'> }

const all = ['read', 'export', 'change', 'destroy']

export const templates: readonly Template[] = [
  {
    id: 'view',
    name: 'View everything',
    hint: 'Sees all pages and changes nothing.',
    work: { subjects: 'all', effects: ['read'], root: false },
  },
  {
    id: 'client',
    name: 'Client: their sites',
    hint: 'Manages sites with their mailboxes, databases and backups, and deletes nothing. Choose the client’s sites, or their label.',
    work: {
      subjects: ['sites', 'apps', 'database', 'aliases', 'ssl', 'sftp', 'email', 'backups', 'logs'],
      effects: ['read', 'export', 'change'],
      root: false,
    },
  },
  {
    id: 'developer',
    name: 'Developer: staging and logs',
    hint: 'Works on apps, files and databases, and reads the logs. Choose the staging servers or sites, or their label.',
    work: { subjects: ['sites', 'apps', 'database', 'sftp', 'logs'], effects: ['read', 'export', 'change'], root: false },
  },
  {
    id: 'backups',
    name: 'Backup operator',
    hint: 'Sees and makes backups. Does not restore or delete them.',
    work: { subjects: ['backups', 'serverBackups', 'lastBackups'], effects: ['read', 'change'], root: false },
  },
  {
    id: 'everything',
    name: 'Everything',
    hint: 'Whatever the role allows, including what amounts to root on a server.',
    work: { subjects: 'all', effects: all, root: true },
  },
]

/** The template that gives just that; undefined if none does. */
export const templateOf = ({ subjects, effects, root }: Omit<GivenWork, 'operations'>): Template | undefined =>
  templates.find(({ work }) => work.root === root && sameWords(work.subjects, subjects) && sameWords(work.effects, effects))

function sameWords(one: 'all' | readonly string[], other: 'all' | readonly string[]): boolean {
  if (one === 'all' || other === 'all') return one === other
  return one.length === other.length && one.every((word) => other.includes(word))
}

// The choices in the dialog of access, before they are saved.

/** Whose access it will be, as the form sends it: "member ID" or "role NAME". said: in a sentence, if not the name. */
export type HolderChoice = { value: string; name: string; guest: boolean; said?: string }

/** The server or site whose page it is. */
export type AccessPlace = { kind: 'server' | 'site'; id: string; name: string }

export type Where = 'everything' | 'named' | 'label' | 'here'

export type AccessDraft = {
  /** A template's id, or custom. */
  template: string
  subjects: 'all' | readonly string[]
  effects: readonly string[]
  root: boolean
  where: Where
  /** Servers and sites, as typed. */
  names: string
  label: string
}

/** The access or the loan as it is, or the first template. */
export function draftOf(
  row: Pick<AccessView, 'subjects' | 'effects' | 'root' | 'scopes'> | undefined,
  place: AccessPlace | undefined,
): AccessDraft {
  const work = row ?? templates[0]?.work ?? { subjects: 'all', effects: ['read'], root: false }
  const template = templateOf(work)?.id ?? 'custom'
  const common = { template, subjects: work.subjects, effects: work.effects, root: work.root, names: '', label: '' }
  if (!row) return { ...common, where: place ? 'here' : 'named' }
  const names = row.scopes.flatMap((scope) => (scope.kind === 'server' || scope.kind === 'site' ? (scope.name ?? []) : []))
  const label = row.scopes.flatMap((scope) => (scope.kind === 'label' ? (scope.name ?? []) : []))[0] ?? ''
  const where = row.scopes.some(({ kind }) => kind === 'everything') ? 'everything' : label === '' ? 'named' : 'label'
  return { ...common, where, names: names.join(', '), label }
}

/** What a request asks for, as a template. */
export const askedTemplateOf = ({ subject, effects, root }: AccessRequestView): Template => ({
  id: 'asked',
  name: 'As asked',
  hint: 'What was asked for. Choose something else to give more or less.',
  work: { subjects: [subject], effects, root },
})

/** What is asked for, at the place itself: two servers may have the same name. What is asked for in words, whoever approves it chooses. */
export function draftOfRequest(request: AccessRequestView, place: AccessPlace | undefined): AccessDraft {
  if (request.place === null) return draftOf(undefined, undefined)
  const { id: template, work } = askedTemplateOf(request)
  return { template, ...work, where: place ? 'here' : 'named', names: '', label: '' }
}

/** When access would end that is given now, ISO; null: no end. */
export const endOf = ({ minutes }: AccessRequestView): string | null =>
  minutes === null ? null : new Date(Date.now() + minutes * 60_000).toISOString()

export const workOfDraft = ({ subjects, effects, root }: AccessDraft): GivenWork => ({ subjects, effects, operations: [], root })

export function scopesOf({ where, names, label }: AccessDraft, place: AccessPlace | undefined): NamedScope[] {
  if (where === 'everything') return [{ kind: 'everything' }]
  if (where === 'here') return place ? [{ kind: place.kind, name: place.name }] : []
  if (where === 'label') return [{ kind: 'label', name: label || '…' }]
  const typed = names
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  return typed.length === 0 ? [{ kind: 'server', name: '…' }] : typed.map((name) => ({ kind: 'server', name }))
}
