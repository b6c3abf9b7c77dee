/** Sites of a real host: how long one takes from the call to its first answer, and whether two hundred others notice. */
import { setTimeout as pause } from 'node:timers/promises'
import { type AdmittedHost, startAdmitted } from '../hosts/reach'
import { openHttpService } from '../hosts/sites/http-service'
import { visit } from '../hosts/sites/site-job'
import type { Target } from '../service/support/caller'
import { median } from './figure'
import type { Section } from './report'
import { stepFigures, type TimedJob, timeJob } from './site-steps'

const title = 'Sites of a real host'

/** How many there are when the last ones are added, and of how many creations a figure is the median. */
const [many, measured] = [200, 7]
const slowSeconds = 20
/** Of the visitors of the others: as many as they can would measure how the processor is shared. */
const visitsPerSecond = 20

type Service = Target & { id: string }

/** ms: from the call to the first answer of the site. */
type Creation = Pick<TimedJob, 'ms' | 'steps'>

export async function measureSites(): Promise<Section> {
  await using admitted = await startAdmitted({ kind: 'root-key' })
  await admitted.machine.install.start()
  await using service = await openHttpService(admitted)
  // The first sets up what all share.
  await create(admitted, service, 1)
  const few = watchOthers(admitted, 1)
  const early = await createSeveral(admitted, service, 2)
  await few.end()
  for (let number = 2 + measured; number <= many; number++) await create(admitted, service, number)
  const watched = watchOthers(admitted, many)
  const late = await createSeveral(admitted, service, many + 1)
  const others = await watched.end()
  return {
    title,
    how: `Created one after another over HTTP by the service, timed until a visitor gets the first page; medians of ${measured}. Meanwhile at most ${visitsPerSecond} visitors a second ask the sites that are there in turn, and one request takes ${slowSeconds} s.`,
    figures: [
      { what: 'the 2nd site, from the call to its first answer', value: medianOf(early), unit: 'ms', target: 3000, floor: 6000 },
      ...stepFigures('of these', early),
      { what: `the ${many + 1}st site`, value: medianOf(late), unit: 'ms' },
      ...stepFigures('of these', late),
      { what: `the ${many + 1}st against the 2nd`, value: medianOf(late) / medianOf(early), unit: 'times', target: 1.3, floor: 1.3 },
      { what: 'requests of others meanwhile', value: others.asked, unit: '' },
      { what: 'of these failed', value: others.failed, unit: '', target: 0, floor: 0 },
      { what: 'others, slowest answer', value: others.slowestMs, unit: 'ms' },
    ],
  }
}

const domainOf = (number: number): string => `site-${number}.test`

const medianOf = (creations: readonly Creation[]): number => median(creations.map(({ ms }) => ms))

async function createSeveral(admitted: AdmittedHost, service: Service, first: number): Promise<Creation[]> {
  const creations: Creation[] = []
  for (let number = first; number < first + measured; number++) creations.push(await create(admitted, service, number))
  return creations
}

async function create({ host }: AdmittedHost, service: Service, number: number): Promise<Creation> {
  const begun = performance.now()
  let ended = false
  const answered = (async () => {
    while (!ended) {
      if ((await visit(host, domainOf(number))).includes('This site is ready')) return performance.now() - begun
      await pause(20)
    }
    throw new Error(`${domainOf(number)} was not created.`)
  })()
  const fields: [string, string][] = [
    ['domain', domainOf(number)],
    ['server', service.id],
    ['password', 'measured for the bench'],
  ]
  const { steps } = await timeJob(service, '/sites/create', fields).finally(() => {
    ended = true
  })
  return { ms: await answered, steps }
}

/** Asks the sites that are there in turn, at most so often, until it is ended, and one for a page that takes long. */
function watchOthers({ host }: AdmittedHost, present: number) {
  const name = host.run(`ls /etc/gatehouse/sites | head -n 1`).then(({ stdout }) => stdout.trim())
  let [asked, failed, slowestMs, ended] = [0, 0, 0, false]
  const ask = async (number: number, path: string, expected: string) => {
    const begun = performance.now()
    const said = await visit(host, domainOf(number), path).catch(String)
    asked += 1
    if (!said.includes(expected)) failed += 1
    return performance.now() - begun
  }
  const slow = (async () => {
    const site = await name
    const domain = (await host.run(`sed -n 's/^domain //p' /etc/gatehouse/sites/${site}/site`)).stdout.trim()
    await host.run(`cat >/home/${site}/public/slow.php`, {
      stdin: `<?php sleep(${slowSeconds}); echo 'slept';`,
    })
    while (!ended) await ask(Number(/\d+/.exec(domain)?.[0]), '/slow.php', 'slept')
  })()
  const quick = (async () => {
    for (let number = 1; !ended; number = (number % present) + 1) {
      slowestMs = Math.max(slowestMs, await ask(number, '/', 'This site is ready'))
      await pause(1000 / visitsPerSecond)
    }
  })()
  return {
    async end() {
      ended = true
      await Promise.all([slow, quick])
      return { asked, failed, slowestMs }
    },
  }
}
