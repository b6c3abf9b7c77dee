/** A release: its size, from the command to the first answer on a database that is there already, and what it takes in memory then. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { findHolder } from '../support/claimant'
import { makePlace, startRelease } from '../support/gatehouse-process'
import { takeRelease } from '../support/own-release'
import { makeEmptyApp } from './empty-app'
import { median } from './figure'
import { inFolder } from './in-folder'
import { readMemoryMb, readShareMb } from './process-stat'
import type { Section } from './report'

export const measureStart = (): Promise<Section> => inFolder(measureIn)

async function measureIn(folder: string): Promise<Section> {
  const archive = takeRelease(folder)
  const release = archive.replace('.tar.gz', '')
  using place = await makePlace()
  await (await startRelease(place, release)).stop()
  using app = await makeEmptyApp(join(release, 'node/bin/node'))
  const [starts, empty]: [number[], number[]] = [[], []]
  let idle = { portal: 0, service: 0, both: 0 }
  for (let run = 0; run < 5; run += 1) {
    const since = performance.now()
    const gatehouse = await startRelease(place, release)
    await fetch(`${gatehouse.url}/sign-in`).then((page) => page.text())
    starts.push((performance.now() - since) / 1000)
    const [portal, service] = [findHolder(place, 'portal'), findHolder(place, 'service')]
    idle = { portal: readMemoryMb(portal), service: readMemoryMb(service), both: readShareMb(portal) + readShareMb(service) }
    await gatehouse.stop()
    empty.push(await app.start())
  }
  return {
    title: 'Start',
    how: 'A release: from `./gatehouse up` to the first whole page, both processes, in turn with `next start` of an empty app on the same Node; medians of 5.',
    figures: [
      { what: 'the archive', value: statSync(archive).size / 1e6, unit: 'MB', target: 150, floor: 150 },
      { what: 'start to first page', value: median(starts), unit: 's', target: 2, floor: 4 },
      { what: '`next start` of an empty app', value: median(empty), unit: 's' },
      { what: 'start against it', value: median(starts) / median(empty), unit: 'times', target: 1.6, floor: 5 },
      { what: 'memory of the portal after it', value: idle.portal, unit: 'MB' },
      { what: 'memory of the service after it', value: idle.service, unit: 'MB' },
      { what: 'memory of both, what they share counted once', value: idle.both, unit: 'MB', target: 300, floor: 330 },
    ],
  }
}
