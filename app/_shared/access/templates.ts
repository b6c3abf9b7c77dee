/** What is often given together. */
import type { GivenWork } from '@/lib/text/access'

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
