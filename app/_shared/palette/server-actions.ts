import { CalendarPlus, KeyRound, type LucideIcon, PenLine, ShieldPlus, Trash2, UserRoundPlus } from 'lucide-react'
import { confirmedServerActions } from '../confirmed-actions'
import { type Findable, findBest } from './match'
import type { PaletteItem } from './palette-item'

type ServerAction = {
  path: string
  /** The control that starts it on that page. */
  begins: string
  name: (server: string) => string
  Icon: LucideIcon
  /** One of the verbs has to be typed; the nouns are optional. */
  verbs: readonly string[]
  nouns: readonly string[]
  /** Only services that announce extensions offer it. */
  extension?: boolean
}

/** What a user may want to do with a server, with the words to find it by. Each still asks for confirmation where it starts. */
const serverActions: readonly ServerAction[] = [
  {
    path: 'cron',
    begins: '#add-cron-job',
    name: (server) => `Add a cron job to ${server}`,
    Icon: CalendarPlus,
    verbs: ['add', 'new', 'create'],
    nouns: ['cron', 'job'],
  },
  {
    path: 'users',
    begins: '#add-user',
    name: (server) => `Add a user to ${server}`,
    Icon: UserRoundPlus,
    verbs: ['add', 'new', 'create'],
    nouns: ['system', 'user', 'account'],
  },
  {
    path: 'firewall',
    begins: '#add-rule',
    name: (server) => `Add a firewall rule to ${server}`,
    Icon: ShieldPlus,
    verbs: ['add', 'new', 'open', 'allow', 'block'],
    nouns: ['firewall', 'rule', 'port'],
  },
  {
    path: 'settings',
    begins: 'input[name=hostname]',
    name: (server) => `Change the hostname of ${server}`,
    Icon: PenLine,
    verbs: ['change', 'rename', 'set'],
    nouns: ['hostname'],
  },
  {
    path: 'settings',
    begins: '#reset-key',
    name: (server) => `Rotate the SSH key of ${server}`,
    Icon: KeyRound,
    verbs: ['reset', 'replace', 'rotate'],
    nouns: ['key'],
  },
  {
    path: 'settings',
    begins: '#delete-server',
    name: (server) => `Delete ${server}`,
    Icon: Trash2,
    verbs: ['delete', 'remove'],
    nouns: ['server'],
  },
  ...confirmedServerActions.map((action) => ({ ...action, path: '', begins: `#${action.id}` })),
]

const fewestLetters = 3
/** How many servers are offered for each. */
const maxResults = 5

/** "add cron web 1": a verb and perhaps a noun select the action, the other words a server; without any, the recent ones. */
export function serverActionItems(query: string, servers: readonly Findable<PaletteItem>[], recents: readonly string[]): PaletteItem[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const indexOfWord = (known: readonly string[]) =>
    words.findIndex((word) => word.length >= fewestLetters && known.some((each) => each.startsWith(word)))
  return serverActions.flatMap(({ path, begins, name, Icon, verbs, nouns, extension }) => {
    const verb = indexOfWord(verbs)
    if (verb < 0) return []
    const noun = indexOfWord(nouns)
    const rest = words.filter((_, place) => place !== verb && place !== noun).join(' ')
    const mayOffer = ({ kind, id, extensions }: PaletteItem) =>
      kind === 'Server' && (rest !== '' || recents.includes(id)) && (extensions || !extension)
    const only = servers.filter(({ entry }) => mayOffer(entry))
    const found = rest === '' ? only.map(({ entry }) => entry) : findBest(only, rest, maxResults)
    return found.map((server): PaletteItem => {
      const does = path === '' ? server.id : `${server.id}/${path}`
      return { ...server, id: `${does} ${begins}`, kind: 'Action', name: name(server.name), Icon, does, begins }
    })
  })
}
