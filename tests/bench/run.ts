/**
 * `npm run bench`: measures what users and operators feel, each against a raw call or a peer in the same run.
 *
 *     npm run bench                    everything
 *     npm run bench -- reads start     some of it
 *     npm run bench -- --write         and writes docs/performance.md
 *
 * Ends with 1 when a figure misses its floor. Needs a machine that does nothing else meanwhile.
 */
import { writeFileSync } from 'node:fs'
import { type Estate, openEstate } from '../browser/security/estate'
import { measureFanOut } from './fan-out'
import { verdictOf } from './figure'
import { measureList } from './list'
import { measurePages } from './pages'
import { measureReads } from './reads'
import { renderPage, renderSection, type Section } from './report'
import { measureStart } from './start'
import { measureSummary } from './summary'

async function withEstate(measure: (estate: Estate) => Promise<Section>): Promise<Section> {
  await using estate = await openEstate(process.cwd(), { msPerLine: 100, installLines: 150, stamped: true }, { LOG_LEVEL: 'info' })
  // Awaited here: the estate is taken down as soon as this function is left.
  return await measure(estate)
}

const parts: Record<string, () => Promise<Section>> = {
  start: measureStart,
  reads: () => withEstate(measureReads),
  'fan-out': () => withEstate(measureFanOut),
  list: measureList,
  pages: measurePages,
  summary: measureSummary,
}

const given = process.argv.slice(2).filter((word) => word !== '--write')
const sections: Section[] = []
for (const [name, measure] of Object.entries(parts)) {
  if (given.length > 0 && !given.includes(name)) continue
  const section = await measure()
  process.stdout.write(`${renderSection(section)}\n`)
  sections.push(section)
}
if (process.argv.includes('--write')) writeFileSync('docs/performance.md', renderPage(sections, new Date()))
const missed = sections.flatMap(({ figures }) => figures).filter((figure) => verdictOf(figure) === 'missed')
for (const { what, value, unit } of missed) process.stderr.write(`Below its floor: ${what}, ${value} ${unit}\n`)
process.exit(missed.length === 0 ? 0 : 1)
