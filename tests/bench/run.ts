/**
 * `npm run bench`: measures what users and operators feel, each against a raw call or a peer in the same run.
 *
 *     npm run bench                    everything
 *     npm run bench -- reads start     some of it
 *     npm run bench -- --write         and writes what was measured into docs/performance.md
 *
 * Ends with 1 when a figure misses its floor. Needs a machine that does nothing else meanwhile.
 */
import { fork } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { verdictOf } from './figure'
import { renderPage, renderSection, type Section } from './report'

const parts = [
  'start',
  'people',
  'reads',
  'several-portals',
  'sign-ins',
  'team',
  'reach',
  'fan-out',
  'grants',
  'list',
  'site-list',
  'backup-list',
  'fleet-states',
  'polling',
  'pages',
  'lighthouse',
  'summary',
  'changes',
  'sites',
  'site-data',
  'php-queue',
]

function measure(part: string): Promise<Section> {
  return new Promise((resolve, reject) => {
    const child = fork('tests/bench/part.ts', [part])
    child.once('message', (section) => resolve(section as Section))
    child.once('close', (code) => reject(new Error(`The part ${part} ended with ${code}.`)))
  })
}

const given = process.argv.slice(2).filter((word) => word !== '--write')
const sections: Section[] = []
for (const part of parts) {
  if (given.length > 0 && !given.includes(part)) continue
  const section = await measure(part)
  process.stdout.write(`${renderSection(section)}\n`)
  sections.push(section)
}
const page = 'docs/performance.md'
if (process.argv.includes('--write')) writeFileSync(page, renderPage(readFileSync(page, 'utf8'), sections, new Date()))
const missed = sections.flatMap(({ figures }) => figures).filter((figure) => verdictOf(figure) === 'missed')
for (const { what, value, unit } of missed) process.stderr.write(`Below its floor: ${what}, ${value} ${unit}\n`)
process.exit(missed.length === 0 ? 0 : 1)
