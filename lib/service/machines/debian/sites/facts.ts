/** What facts.bash prints about the sites of a real server. */
import { cleanText } from '@/lib/service/clean-text'
import type { Certificate, SiteFacts } from '@/lib/service/machines/sites'

type Parsed = { facts?: Omit<SiteFacts, 'certificate'>; certificate?: Pick<Certificate, 'issued' | 'expires' | 'problem'> } & {
  covers: string[]
  lacks: { name: string; reason: string }[]
}

/** By site name. Lines about different sites may alternate. */
export function parseFacts(printed: string): ReadonlyMap<string, SiteFacts> {
  const sites = new Map<string, Parsed>()
  for (const line of printed.split('\n')) {
    const [name = '', kind = '', ...fields] = line.split('\t').map((field) => cleanText(field))
    const site: Parsed = sites.get(name) ?? { covers: [], lacks: [] }
    sites.set(name, { ...site, ...parseLine(site, kind, fields) })
  }
  return new Map([...sites].flatMap(([name, site]) => (site.facts ? [[name, { ...site.facts, certificate: certificateOf(site) }]] : [])))
}

function parseLine({ covers, lacks }: Parsed, kind: string, [first = '', second = '', third = '']: string[]): Partial<Parsed> {
  switch (kind) {
    case 'facts': {
      const usedBytes = /^\d{1,15}$/.test(first) ? Number(first) : null
      return { facts: { usedBytes, answers: second === 'answers', ssl: third === 'on' } }
    }
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

const certificateOf = ({ certificate, covers, lacks }: Parsed): Certificate | null =>
  certificate ? { ...certificate, names: covers, leftOut: lacks } : null
