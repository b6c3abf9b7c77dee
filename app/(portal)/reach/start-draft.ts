/** The access that a query describes, as the fields of the form show it. */
import { type AccessDraft, type AccessPlace, draftOf, type Where } from '../../_shared/access/draft'
import { templateOf } from '../../_shared/access/templates'

const wheres: readonly string[] = ['everything', 'named', 'label'] satisfies Where[]

const isWhere = (text: string | undefined): text is Where => text !== undefined && wheres.includes(text)

const split = (text: string | undefined): string[] => (text ?? '').split(',').filter(Boolean)

/** The first template if the query describes none. place: of the page, if it is about one. */
export function startDraft(query: Readonly<Record<string, string>>, place: AccessPlace | undefined): AccessDraft {
  if (query.if !== 'giveGrant') return draftOf(undefined, place)
  const subjects = query.subjects === '*' ? ('all' as const) : split(query.subjects)
  const work = { subjects, effects: split(query.effects), root: query.root === '1' }
  const where = isWhere(query.where) ? query.where : place ? 'here' : 'named'
  return { template: templateOf(work)?.id ?? 'custom', ...work, where, names: query.names ?? '', label: query.label ?? '' }
}
