/** The page Team of a team with 50 members more. */
import type { Estate } from '../browser/security/estate'
import { type Figure, median } from './figure'
import { addMembers } from './members'
import type { Section } from './report'

/** The median time of the page, in ms. */
async function timePage({ owner, place }: Estate): Promise<number> {
  const took: number[] = []
  for (let index = 0; index < 120; index += 1) {
    const since = performance.now()
    const answer = await fetch(`http://localhost:${place.port}/team`, { headers: { cookie: owner.cookie } })
    await answer.text()
    if (answer.status !== 200) throw new Error(`The page Team answered ${answer.status}.`)
    took.push(performance.now() - since)
  }
  // Until the page's code is compiled for that many rows.
  return median(took.slice(60))
}

export async function measureTeamPage(estate: Estate): Promise<Section> {
  const few = await timePage(estate)
  await addMembers(estate, 50)
  const many = await timePage(estate)
  const figures: Figure[] = [
    { what: 'the page Team with one member', value: few, unit: 'ms' },
    { what: 'what 50 more members add to it', value: many - few, unit: 'ms', target: 5, floor: 10 },
  ]
  return { title: 'The page Team', how: 'The owner opens the page 60 times, alone in the team and with 50 more members.', figures }
}
