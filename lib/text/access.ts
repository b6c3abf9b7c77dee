/** What somebody may do with servers and sites, as people read it: "read and change the backups of shop.example". */

/** subjects and effects: as the contract names them. operations: ids. root: also what amounts to root on a server. */
export type GivenWork = { subjects: 'all' | readonly string[]; effects: readonly string[]; operations: readonly string[]; root: boolean }

/** A part of what access is over. name: null if the reader does not see the server or site. */
export type NamedScope = { kind: 'everything' } | { kind: 'server' | 'site' | 'label'; name: string | null }

/** The subjects that can be chosen, in the order of the pages: what each is called. */
export const accessSubjects: Readonly<Record<string, string>> = {
  servers: 'server settings',
  services: 'services',
  cron: 'cron jobs',
  users: 'system users',
  firewall: 'firewall',
  mail: 'mail queue',
  serverBackups: 'server backups',
  lastBackups: 'last backups of deleted sites',
  sites: 'site settings',
  apps: 'apps',
  database: 'database',
  aliases: 'aliases',
  ssl: 'SSL',
  sftp: 'SFTP keys',
  email: 'mailboxes',
  backups: 'backups',
  copies: 'copies of backups',
  logs: 'logs',
}

const effectVerbs: Readonly<Record<string, readonly string[]>> = {
  read: ['view'],
  export: ['download'],
  change: ['change'],
  destroy: ['delete', 'overwrite'],
}

/** "a, b and c". */
const joinWords = (words: readonly string[], last = 'and'): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`

/** The effects that can be chosen: what each is called. */
export const accessEffects: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(effectVerbs).map(([effect, verbs]) => [effect, joinWords(verbs)]),
)

/** "view, delete and overwrite", in the order of the choices. */
export const formatEffects = (effects: readonly string[], last: 'and' | 'or' = 'and'): string =>
  joinWords(
    Object.entries(effectVerbs).flatMap(([effect, verbs]) => (effects.includes(effect) ? verbs : [])),
    last,
  )

const nameOf = (table: Readonly<Record<string, string>>, key: string): string => (Object.hasOwn(table, key) ? (table[key] ?? key) : key)

/** root: what follows the servers and sites, if they are named. */
function wordsOf({ subjects, effects, operations, root }: GivenWork): { work: string; root: string } {
  const verbs = formatEffects(effects)
  const single = operations.length === 0 ? '' : `run ${joinWords(operations)}`
  if (subjects === 'all' && effects.length === Object.keys(accessEffects).length) {
    return { work: root ? 'do everything' : 'do everything except what amounts to root', root: '' }
  }
  const things =
    subjects === 'all'
      ? 'everything'
      : subjects.length === 0
        ? ''
        : `the ${joinWords(subjects.map((each) => nameOf(accessSubjects, each)))}`
  const general = verbs === '' || things === '' ? '' : `${verbs} ${things}`
  const said = joinWords([general, single].filter((text) => text !== ''))
  return { work: said === '' ? 'do nothing' : said, root: said !== '' && root ? ', including what amounts to root' : '' }
}

/** "view and change the logs and backups", "view everything", "do everything", "do nothing". */
export function formatWork(given: GivenWork): string {
  const { work, root } = wordsOf(given)
  return `${work}${root}`
}

/** "all servers and sites", "web-1 and shop.example", "everything labelled “client: kaffee”". most: how many are named, if not all. */
export function formatScopes(scopes: readonly NamedScope[], most = Number.POSITIVE_INFINITY): string {
  if (scopes.some(({ kind }) => kind === 'everything')) return 'all servers and sites'
  if (scopes.length === 0) return 'nothing that is still there'
  const named = scopes.flatMap((scope) => (scope.kind === 'everything' || scope.name === null ? [] : [scope]))
  const hidden = scopes.length - named.length
  const shown = named.slice(0, most)
  const words = [
    ...shown.map(({ kind, name }) => (kind === 'label' ? `everything labelled “${name}”` : (name ?? ''))),
    ...(shown.length < named.length ? [`${named.length - shown.length} more`] : []),
    ...(hidden > 0 ? [`${hidden} more that you cannot see`] : []),
  ]
  return joinWords(words)
}

/**
 * "view the backups of shop.example", "do everything on all servers and sites". most: how many servers and sites are named, if not all.
 * period: "until Friday …", if it is said.
 */
export function formatAccess(
  given: GivenWork,
  scopes: readonly NamedScope[],
  { most, period = '' }: { most?: number; period?: string } = {},
): string {
  const of = given.subjects === 'all' || given.subjects.length === 0 ? 'on' : 'of'
  const { work, root } = wordsOf(given)
  const when = period === '' ? '' : `${root === '' ? '' : ','} ${period}`
  return `${work} ${of} ${formatScopes(scopes, most)}${root}${when}`
}
