/** What facts.bash prints about the sites of a real server. */
import { cleanText } from '@/lib/service/clean-text'
import type { CatalogueEntry } from '@/lib/service/machines/apps/entry'
import { recognise } from '@/lib/service/machines/apps/found'
import type { Certificate, ShownSettings, SiteFacts } from '@/lib/service/machines/sites'

type ShownMail = Pick<ShownSettings, 'mailPerHour' | 'mailHeldUntil'>

type Parsed = {
  facts?: Omit<SiteFacts, 'certificate' | 'settings' | 'backupAt' | 'app'>
  settings?: Omit<ShownSettings, keyof ShownMail>
  mail?: ShownMail
  backupAt?: string
  certificate?: Pick<Certificate, 'issued' | 'expires' | 'problem'>
  covers: string[]
  lacks: { name: string; reason: string }[]
  /** In base64, by app. */
  texts: ReadonlyMap<string, string>
}

/** The values of facts.bash that say which apps are looked for. */
export const appValues = (catalogue: readonly CatalogueEntry[]): string[] => [
  String(catalogue.length),
  ...catalogue.flatMap(({ app, found }) => [app, found.file, found.beside]),
]

/** By site name; null for a site of which it only says that it is there. Lines about different sites may alternate. */
export function parseFacts(printed: string, catalogue: readonly CatalogueEntry[] = []): ReadonlyMap<string, SiteFacts | null> {
  const sites = new Map<string, Parsed>()
  for (const line of printed.split('\n').filter((each) => each !== '')) {
    const [name = '', kind = '', ...fields] = line.split('\t').map((field) => cleanText(field))
    const site: Parsed = sites.get(name) ?? { covers: [], lacks: [], texts: new Map() }
    sites.set(name, { ...site, ...parseLine(site, kind, fields) })
  }
  return new Map([...sites].map(([name, site]) => [name, site.facts ? factsOf(site, site.facts, catalogue) : null]))
}

function parseLine({ covers, lacks, texts }: Parsed, kind: string, fields: string[]): Partial<Parsed> {
  const [first = '', second = '', third = '', fourth = '', fifth = '', sixth = '', seventh = '', eighth = '', ninth = '', tenth = ''] =
    fields
  switch (kind) {
    case 'facts': {
      const usedBytes = /^\d{1,15}$/.test(first) ? Number(first) : null
      return { facts: { usedBytes, answers: second === 'answers', ssl: third === 'on', mail: fourth === 'on' } }
    }
    case 'settings':
      return {
        settings: {
          php: first,
          uploadMb: count(second),
          memoryMb: count(third),
          folder: fourth,
          workers: count(sixth),
          waiting: count(seventh),
          wwwRedirect: ninth === 'yes',
          hstsSeconds: tenth === '' ? 0 : count(tenth, 9),
          versions: words(fifth),
          extensions: words(eighth),
        },
      }
    case 'mail':
      return { mail: { mailPerHour: count(first), mailHeldUntil: second } }
    case 'backup':
      return { backupAt: first }
    case 'text':
      return { texts: new Map([...texts, [first, (texts.get(first) ?? '') + second]]) }
    case 'certificate':
      return { certificate: { issued: first, expires: second, problem: third } }
    case 'covers':
      return { covers: [...covers, first] }
    case 'lacks':
      return { lacks: [...lacks, { name: first, reason: second }] }
    default:
      return {}
  }
}

const words = (text: string): string[] => text.split(' ').filter((word) => word !== '')

const count = (text: string, digits = 4): number | null => (/^\d+$/.test(text) && text.length <= digits ? Number(text) : null)

const factsOf = (site: Parsed, facts: NonNullable<Parsed['facts']>, catalogue: readonly CatalogueEntry[]): SiteFacts => ({
  ...facts,
  ...(catalogue.length > 0 && { app: appOf(site, catalogue) }),
  certificate: certificateOf(site),
  backupAt: site.backupAt ?? '',
  settings: site.settings ? { ...site.settings, ...(site.mail ?? { mailPerHour: null, mailHeldUntil: '' }) } : null,
})

const certificateOf = ({ certificate, covers, lacks }: Parsed): Certificate | null =>
  certificate ? { ...certificate, names: covers, leftOut: lacks } : null

/** The first one of the catalogue whose text is recognised. */
function appOf({ texts }: Parsed, catalogue: readonly CatalogueEntry[]): NonNullable<SiteFacts['app']> | null {
  const found = catalogue.flatMap((entry) => recognise(entry, Buffer.from(texts.get(entry.app) ?? '', 'base64').toString('utf8'), '') ?? [])
  return found[0] ? { app: found[0].app, version: found[0].version } : null
}
