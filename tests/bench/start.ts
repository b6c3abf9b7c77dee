/** From the command to the first answer, on a database that is there already. */

import { findHolder } from '../support/claimant'
import { makePlace, startGatehouse } from '../support/gatehouse-process'
import { makeEmptyApp } from './empty-app'
import { median } from './figure'
import { readMemoryMb } from './process-stat'
import type { Section } from './report'

export async function measureStart(): Promise<Section> {
  using place = await makePlace()
  await (await startGatehouse(place)).stop()
  using app = await makeEmptyApp()
  const [starts, empty]: [number[], number[]] = [[], []]
  let idle = { portal: 0, service: 0 }
  for (let run = 0; run < 5; run += 1) {
    const since = performance.now()
    const gatehouse = await startGatehouse(place)
    await fetch(`${gatehouse.url}/sign-in`).then((page) => page.text())
    starts.push((performance.now() - since) / 1000)
    idle = { portal: readMemoryMb(findHolder(place, 'portal')), service: readMemoryMb(findHolder(place, 'service')) }
    await gatehouse.stop()
    empty.push(await app.start())
  }
  return {
    title: 'Start',
    how: 'From `npm run up` on a built project to the first whole page, both processes, in turn with `next start` of an empty app; medians of 5.',
    figures: [
      { what: 'start to first page', value: median(starts), unit: 's' },
      { what: '`next start` of an empty app', value: median(empty), unit: 's' },
      { what: 'start against it', value: median(starts) / median(empty), unit: 'times', target: 1.6, floor: 5 },
      { what: 'memory of the portal after it', value: idle.portal, unit: 'MB' },
      { what: 'memory of the service after it', value: idle.service, unit: 'MB' },
      { what: 'memory of both', value: idle.portal + idle.service, unit: 'MB', target: 300, floor: 420 },
    ],
  }
}
