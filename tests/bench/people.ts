/** Twenty people at a release that has 512 MiB: they join, look around, install and watch. */
import { createCaller } from '../browser/security/caller'
import { findHolder } from '../support/claimant'
import { makePlace, startRelease } from '../support/gatehouse-process'
import { takeRelease } from '../support/own-release'
import { createVisitor } from '../support/portal-visitor'
import { median } from './figure'
import { inFolder } from './in-folder'
import { limitMemory } from './memory-limit'
import { readShareMb } from './process-stat'
import type { Section } from './report'

const people = 20
const rounds = 10

export const measurePeople = (): Promise<Section> => inFolder(measureIn)

async function measureIn(folder: string): Promise<Section> {
  const release = takeRelease(folder).replace('.tar.gz', '')
  using place = await makePlace()
  using limit = limitMemory(512 * 1024 * 1024)
  await using gatehouse = await startRelease(place, release, limit.command)
  const caller = createCaller(place.port)
  const owner = createVisitor(caller)
  await owner.setUp(gatehouse.setupLink ?? '')
  const servers: string[] = []
  for (let index = 0; index < people; index += 1) servers.push(await owner.addSandbox(`web-${index}`))
  const links: string[] = []
  for (let index = 0; index < people; index += 1) links.push(await owner.invite(`member-${index}@northwind.test`, 'operator'))

  const halves = [findHolder(place, 'portal'), findHolder(place, 'service')]
  let most = 0
  const sampling = setInterval(() => {
    most = Math.max(
      most,
      halves.reduce((sum, pid) => sum + readShareMb(pid), 0),
    )
  }, 250)
  const times: number[] = []
  const work = async (index: number) => {
    const member = createVisitor(caller)
    await member.join(links[index] ?? '', `Member ${index}`)
    const server = servers[index] ?? ''
    const open = async (path: string) => {
      const since = performance.now()
      const { status } = await caller.call(path, { cookie: member.cookie() })
      if (status !== 200) throw new Error(`${path} answered ${status}.`)
      times.push(performance.now() - since)
    }
    const watching = caller.call(`/api/jobs/${await member.install(server)}/events`, { cookie: member.cookie() })
    for (let round = 0; round < rounds; round += 1) {
      for (const path of ['/', '/servers', `/servers/${server}`, `/servers/${server}/cron`, '/sites', '/activity', '/api/counts'])
        await open(path)
    }
    await watching
  }
  await Promise.all(links.map((_, index) => work(index)))
  clearInterval(sampling)
  return {
    title: 'Twenty people',
    how: `A release with ${people} simulated servers, in a control group with 512 MiB of memory. ${people} people join at once; each installs a server, watches it to its end, and meanwhile opens six pages and a list's counts ${rounds} times without a pause.`,
    figures: [
      { what: 'processes killed for memory', value: limit.countKilled(), unit: '', target: 0, floor: 0 },
      { what: 'memory of both halves, at most', value: most, unit: 'MB', target: 512, floor: 512 },
      { what: 'a page, p50', value: median(times), unit: 'ms' },
    ],
  }
}
