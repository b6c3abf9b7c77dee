import { Archive, AtSign, CalendarPlus, KeyRound, type LucideIcon, PenLine, ShieldPlus, Trash2, UserRoundPlus } from 'lucide-react'
import { type Findable, findable } from '../../_ui/match'
import { confirmedServerActions } from '../forms/confirmed-actions'
import { type KnownSubjects, type PaletteItem, subjectsMeant } from './page-items'

type SubjectAction = {
  /** Below the subject's own page; empty for that page. */
  path: string
  /** The control that starts it on that page. */
  begins: string
  /** On the pages of the subject, which then need not be named. */
  title: string
  name: (subject: string) => string
  Icon: LucideIcon
  /** One of the verbs has to be typed; the nouns are optional. */
  verbs: readonly string[]
  nouns: readonly string[]
  /** Only services that announce extensions offer it. */
  extension?: boolean
}

const fewestLetters = 3
/** How many servers or sites are offered for each. */
const maxResults = 5

/** "add cron web 1": a verb and perhaps a noun select the action, the other words a server or site; without any, the recent ones. */
export function subjectActionItems(actions: readonly SubjectAction[], query: string, known: KnownSubjects): PaletteItem[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const indexOfWord = (known: readonly string[]) =>
    words.findIndex((word) => word.length >= fewestLetters && known.some((each) => each.startsWith(word)))
  return actions.flatMap(({ path, begins, name, Icon, verbs, nouns, extension }) => {
    const verb = indexOfWord(verbs)
    if (verb < 0) return []
    const noun = indexOfWord(nouns)
    const rest = words.filter((_, place) => place !== verb && place !== noun).join(' ')
    return subjectsMeant(rest, known, extension === true, maxResults).map((subject): PaletteItem => {
      const does = path === '' ? subject.id : `${subject.id}/${path}`
      return { ...subject, id: `${does} ${begins}`, kind: 'Action', name: name(subject.name), Icon, does, begins }
    })
  })
}

/** All actions of one subject, whose page is open: found by title, verbs and nouns. */
export const actionsOf = (actions: readonly SubjectAction[], subject: PaletteItem): Findable<PaletteItem>[] =>
  actions
    .filter(({ extension }) => !extension || subject.extensions)
    .map(({ path, begins, title, Icon, verbs, nouns }) => {
      const does = path === '' ? subject.id : `${subject.id}/${path}`
      const item: PaletteItem = { id: `${does} ${begins}`, kind: 'Action', name: title, Icon, does, begins }
      return findable(item, title, [...verbs, ...nouns].join(' '))
    })

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
