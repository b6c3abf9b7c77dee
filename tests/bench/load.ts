/** Requests at a steady pace, however long the answers take, so that slow answers do not lower the load. */
import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

export type Target = { name: string; port: number; path: string; headers: Record<string, string> }

const agent = new Agent({ keepAlive: true })

/** Milliseconds to the end of the answer. Throws when it is not 200. */
function timeRequest({ name, port, path, headers }: Target): Promise<number> {
  const since = performance.now()
  return new Promise((resolve, reject) => {
    const asking = request({ host: '127.0.0.1', port, path, headers, agent }, (answer) => {
      answer.resume()
      answer.once('end', () => {
        if (answer.statusCode === 200) resolve(performance.now() - since)
        else reject(new Error(`${name} answered ${answer.statusCode}.`))
      })
    })
    asking.once('error', (error) => reject(new Error(`${name} could not be asked: ${error.message}`)))
    asking.end()
  })
}

/** Sends every target `perSecond` requests a second, in turn, and resolves with their durations in milliseconds. */
export async function runSteadily(targets: readonly Target[], perSecond: number, seconds: number): Promise<Map<string, number[]>> {
  const times = new Map<string, Promise<number>[]>(targets.map(({ name }) => [name, []]))
  const began = performance.now()
  for (let tick = 0; tick < perSecond * seconds; tick += 1) {
    for (const [turn, target] of targets.entries()) {
      await delay(Math.max(0, began + ((tick + turn / targets.length) * 1000) / perSecond - performance.now()))
      times.get(target.name)?.push(timeRequest(target))
    }
  }
  const settled = [...times].map(async ([name, asked]) => [name, await Promise.all(asked)] as const)
  return new Map(await Promise.all(settled))
}

/** Sends requests as fast as `atOnce` callers can, for so many seconds. Resolves with the number of answers. */
export async function runFlatOut(target: Target, atOnce: number, seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1000
  let answers = 0
  const caller = async () => {
    while (performance.now() < until) {
      await timeRequest(target)
      answers += 1
    }
  }
  await Promise.all(Array.from({ length: atOnce }, caller))
  return answers
}
