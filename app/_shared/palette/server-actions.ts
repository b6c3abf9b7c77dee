import { CalendarPlus, KeyRound, PenLine, ShieldPlus, Trash2, UserRoundPlus } from 'lucide-react'
import { confirmedServerActions } from '../forms/confirmed-actions'
import type { SubjectAction } from './subject-actions'

/** What a user may want to do with a server, with the words to find it by. Each still asks for confirmation where it starts. */
export const serverActions: readonly SubjectAction[] = [
  {
    path: 'cron',
    begins: '#add-cron-job',
    title: 'Add cron job',
    name: (server) => `Add a cron job to ${server}`,
    Icon: CalendarPlus,
    verbs: ['add', 'new', 'create'],
    nouns: ['cron', 'job'],
  },
  {
    path: 'users',
    begins: '#add-user',
    title: 'Add system user',
    name: (server) => `Add a user to ${server}`,
    Icon: UserRoundPlus,
    verbs: ['add', 'new', 'create'],
    nouns: ['system', 'user', 'account'],
  },
  {
    path: 'firewall',
    begins: '#add-rule',
    title: 'Add firewall rule',
    name: (server) => `Add a firewall rule to ${server}`,
    Icon: ShieldPlus,
    verbs: ['add', 'new', 'open', 'allow', 'block'],
    nouns: ['firewall', 'rule', 'port'],
  },
  {
    path: 'settings',
    begins: 'input[name=hostname]',
    title: 'Change hostname',
    name: (server) => `Change the hostname of ${server}`,
    Icon: PenLine,
    verbs: ['change', 'rename', 'set'],
    nouns: ['hostname'],
  },
  {
    path: 'settings',
    begins: '#reset-key',
    title: 'Rotate SSH key',
    name: (server) => `Rotate the SSH key of ${server}`,
    Icon: KeyRound,
    verbs: ['reset', 'replace', 'rotate'],
    nouns: ['key'],
  },
  {
    path: 'settings',
    begins: '#delete-server',
    title: 'Delete server',
    name: (server) => `Delete ${server}`,
    Icon: Trash2,
    verbs: ['delete', 'remove'],
    nouns: ['server'],
  },
  ...confirmedServerActions.map((action) => ({ ...action, path: '', begins: `#${action.id}` })),
]
