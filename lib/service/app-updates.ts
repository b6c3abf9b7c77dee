/** Asks the update APIs of apps which version they offer, in the background: no read waits for them. */
import { get as getPlain } from 'node:http'
import { get } from 'node:https'
import { isJsonObject, parseJson } from '@/lib/contract/json'
import { cleanText } from './clean-text'
import type { CatalogueEntry } from './machines/apps/entry'
import type { FoundApp } from './machines/apps/found'

export type AppUpdates = {
  /**
   * The newer version that an app offers to install; empty if there is none, undefined as long as it is not known. Never throws.
   * simulated: of a sandbox server, for which nobody outside is asked.
   */
  find(entry: CatalogueEntry, found: FoundApp, about: { php: string; simulated: boolean }): string | undefined
}

type Updates = NonNullable<CatalogueEntry['updates']>

/** address: asked instead of the apps' own; the app's name and a slash are added. Empty for none. */
type Options = { address?: string; now?: () => number }

const keptMs = 12 * 60 * 60_000
const failedMs = 10 * 60_000
const patienceMs = 10_000
const maxBytes = 1024 * 1024
const mostKnown = 1000

type Known = { update: string | undefined; until: number; asking: boolean }

export function createAppUpdates({ address = '', now = Date.now }: Options = {}): AppUpdates {
  const known = new Map<string, Known>()
  const ask = async (url: string, kind: Updates['kind'], version: string, entry: Known) => {
    try {
      entry.update = readers[kind](await fetchText(url), version)
      entry.until = now() + keptMs
    } catch {
      entry.until = now() + failedMs
    } finally {
      entry.asking = false
    }
  }
  return {
    find({ app, updates }, found, { php, simulated }) {
      if (!updates || (simulated && address === '')) return undefined
      const base = address === '' ? updates.address : `${address.replace(/\/$/, '')}/${app}/`
      const url = questions[updates.kind](base, found, php)
      const entry = known.get(url) ?? { update: undefined, until: 0, asking: false }
      if (!known.has(url) && known.size >= mostKnown) known.clear()
      known.set(url, entry)
      if (!entry.asking && entry.until <= now()) {
        entry.asking = true
        void ask(url, updates.kind, found.version, entry)
      }
      return entry.update
    },
  }
}

const questions: Readonly<Record<Updates['kind'], (base: string, found: FoundApp, php: string) => string>> = {
  wordpress: (base, { version }, php) => `${base}?${new URLSearchParams({ version, ...(php !== '' && { php }), locale: 'en_US' })}`,
  dokuwiki: (base, { build }) => `${base}${encodeURIComponent(build)}`,
}

/** The newest version that an answer names, if it is newer than `version`; empty otherwise. Throws if the answer is of another kind. */
const readers: Readonly<Record<Updates['kind'], (answer: string, version: string) => string>> = {
  wordpress(answer, version) {
    const body = parseJson(answer)
    if (!isJsonObject(body) || !Array.isArray(body.offers)) throw new Error('not an answer of WordPress')
    const versions = body.offers.flatMap((offer) => (isJsonObject(offer) && typeof offer.version === 'string' ? [offer.version] : []))
    return newestOf(
      versions.filter((each) => /^\d+(\.\d+){1,3}$/.test(each)),
      version,
    )
  },
  // Messages for people; those about candidates name them as rc2024-02-06.
  dokuwiki: (answer, version) => newestOf(answer.match(/(?<![\w-])\d{4}-\d\d-\d\d[a-z]?\b/g) ?? [], version),
}

function newestOf(versions: readonly string[], present: string): string {
  const newest = versions.reduce((best, each) => (compareVersions(each, best) > 0 ? each : best), present)
  return newest === present ? '' : cleanText(newest, 40)
}

/** Numbers are compared as such, letters by the alphabet; a longer version is newer. */
export function compareVersions(one: string, other: string): number {
  const [ours, theirs] = [one, other].map((version) => version.match(/\d+|[a-z]+/gi) ?? [])
  for (let at = 0; at < Math.max(ours?.length ?? 0, theirs?.length ?? 0); at++) {
    const [left, right] = [ours?.[at] ?? '', theirs?.[at] ?? '']
    const difference = /^\d+$/.test(left + right) ? Number(left) - Number(right) : left.localeCompare(right)
    if (difference !== 0) return difference
  }
  return 0
}

function fetchText(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = url.startsWith('https:') ? get : getPlain
    const asked = request(
      url,
      { signal: AbortSignal.timeout(patienceMs), agent: false, headers: { 'user-agent': 'Gatehouse' } },
      (answer) => {
        const chunks: Buffer[] = []
        let bytes = 0
        answer.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          bytes += chunk.length
          if (bytes > maxBytes) answer.destroy(new Error('The answer is too large.'))
        })
        answer.on('error', reject)
        answer.on('end', () => {
          if (answer.statusCode === 200) resolve(Buffer.concat(chunks).toString('utf8'))
          else reject(new Error(`The update API answered with ${answer.statusCode}.`))
        })
      },
    )
    asked.on('error', reject)
  })
}
