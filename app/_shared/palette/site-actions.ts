import { Archive, AtSign, KeyRound, Trash2 } from 'lucide-react'
import type { SubjectAction } from './subject-actions'

/** What a user may want to do with a site, with the words to find it by. Each still asks where it starts, but for a backup, which harms nothing. */
export const siteActions: readonly SubjectAction[] = [
  {
    path: 'database',
    begins: '#set-password',
    title: 'Set database password',
    name: (site) => `Set the database password of ${site}`,
    Icon: KeyRound,
    verbs: ['set', 'change', 'reset'],
    nouns: ['database', 'password'],
  },
  {
    path: 'aliases',
    begins: '[name=names]',
    title: 'Add aliases',
    name: (site) => `Add aliases to ${site}`,
    Icon: AtSign,
    verbs: ['add', 'new'],
    nouns: ['alias', 'aliases', 'domain', 'name'],
  },
  {
    path: 'backups',
    begins: '#create-backup',
    title: 'Create backup',
    name: (site) => `Create a backup of ${site}`,
    Icon: Archive,
    verbs: ['create', 'make', 'new'],
    nouns: ['backup'],
  },
  {
    path: '',
    begins: '#delete-site',
    title: 'Delete site',
    name: (site) => `Delete ${site}`,
    Icon: Trash2,
    verbs: ['delete', 'remove'],
    nouns: ['site', 'website'],
  },
]
