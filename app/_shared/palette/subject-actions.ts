import type { LucideIcon } from 'lucide-react'
import { type Findable, findBest } from '../../_ui/match'
import type { PaletteItem } from './palette-item'

export type SubjectAction = {
  /** Below the subject's own page; empty for that page. */
  path: string
  /** The control that starts it on that page. */
  begins: string
  name: (subject: string) => string
  Icon: LucideIcon
  /** One of the verbs has to be typed; the nouns are optional. */
  verbs: readonly string[]
  nouns: readonly string[]
  /** Only services that announce extensions offer it. */
  extension?: boolean
}

type Known = { kind: PaletteItem['kind']; subjects: readonly Findable<PaletteItem>[]; recents: readonly string[] }

const fewestLetters = 3
/** How many servers or sites are offered for each. */
const maxResults = 5

/** "add cron web 1": a verb and perhaps a noun select the action, the other words a server or site; without any, the recent ones. */
export function subjectActionItems(actions: readonly SubjectAction[], query: string, { kind, subjects, recents }: Known): PaletteItem[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const indexOfWord = (known: readonly string[]) =>
    words.findIndex((word) => word.length >= fewestLetters && known.some((each) => each.startsWith(word)))
  return actions.flatMap(({ path, begins, name, Icon, verbs, nouns, extension }) => {
    const verb = indexOfWord(verbs)
    if (verb < 0) return []
    const noun = indexOfWord(nouns)
    const rest = words.filter((_, place) => place !== verb && place !== noun).join(' ')
    const mayOffer = (item: PaletteItem) =>
      item.kind === kind && (rest !== '' || recents.includes(item.id)) && (item.extensions || !extension)
    const only = subjects.filter(({ entry }) => mayOffer(entry))
    const found = rest === '' ? only.map(({ entry }) => entry) : findBest(only, rest, maxResults)
    return found.map((subject): PaletteItem => {
      const does = path === '' ? subject.id : `${subject.id}/${path}`
      return { ...subject, id: `${does} ${begins}`, kind: 'Action', name: name(subject.name), Icon, does, begins }
    })
  })
}
