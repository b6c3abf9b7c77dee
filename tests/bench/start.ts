/** From the command to the first answer, on a database that is there already. */

import { findHolder } from '../support/claimant'
import { makePlace, startGatehouse } from '../support/gatehouse-process'
import { median } from './figure'
import { readMemoryMb } from './process-stat'
import type { Section } from './report'

export async function measureStart(): Promise<Section> {
  using place = await makePlace()
  await (await startGatehouse(place)).stop()
  const starts: number[] = []
  let idle = { portal: 0, service: 0 }
  for (let run = 0; run < 5; run += 1) {
    const since = performance.now()
    const gatehouse = await startGatehouse(place)
    await fetch(`${gatehouse.url}/sign-in`).then((page) => page.text())
    starts.push((performance.now() - since) / 1000)
    idle = { portal: readMemoryMb(findHolder(place, 'portal')), service: readMemoryMb(findHolder(place, 'service')) }
    await gatehouse.stop()
  }
  return {
    title: 'Start',
    how: 'From `npm run up` on a built project to the first whole page, both processes; median of 5.',
    figures: [
      { what: 'start to first page', value: median(starts), unit: 's', target: 2, floor: 4 },
      { what: 'memory of the portal after it', value: idle.portal, unit: 'MB', target: 150, floor: 250 },
      { what: 'memory of the service after it', value: idle.service, unit: 'MB' },
    ],
  }
}
