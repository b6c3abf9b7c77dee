/** The list of ten thousand sites, with all that a service can report of them. */
import { visitForeign } from '../support/foreign-visit'
import type { Upstream } from '../support/upstream/upstream'
import { measureLongList } from './long-list'
import type { Section } from './report'

const sites = 10_000
const aDay = 86_400_000
const names = ['harbour', 'alder', 'quarry', 'lantern', 'meadow', 'copper', 'tundra', 'violet', 'summit', 'anchor', 'willow']

/** Every fortieth was never backed up, and every tenth is late. */
const backedUpAt = (index: number): string =>
  index % 40 === 0 ? '' : new Date(Date.now() - (index % 10 === 0 ? 2 * aDay : (index / sites) * aDay)).toISOString()

/** Sites with all that a service can report of them. */
export function addManySites(upstream: Pick<Upstream, 'addSite'>): void {
  for (let index = 0; index < sites; index += 1) {
    const ssl = index % 3 > 0
    // No two certificates expire at the same moment.
    const expires = ssl ? new Date(Date.now() + (index / sites) * 90 * aDay).toISOString() : ''
    const usage = String((index * 7_919_317) % 5_000_000_000)
    const listed = {
      state: index % 97 === 0 ? 'down' : 'ready',
      ssl,
      expires,
      usage,
      ip: `192.0.2.${index % 20}`,
      backup_at: backedUpAt(index),
    }
    upstream.addSite({ domain: `${names[index % names.length]}-${index}.example`, listed })
  }
}

export async function measureSiteList(): Promise<Section> {
  await using visit = await visitForeign({ extensions: true })
  const { upstream, visitor } = visit
  addManySites(upstream)
  return {
    title: 'A list of 10,000 sites',
    how: 'Sites of one service, read with one call; keys and frames as Chromium itself counts them, drawing without a graphics card.',
    figures: await measureLongList(visitor, { url: new URL(visit.url).origin, noun: 'site', typed: 'harbour 1' }),
  }
}
