import type { LucideIcon } from 'lucide-react'
import { type Findable, findable } from '../../_ui/match'
import type { PaletteItem } from './palette-item'
import { type KnownSubjects, subjectsMeant } from './subject-pages'

export type SubjectAction = {
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
