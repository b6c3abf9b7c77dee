/** An install that is disturbed and continued until it is done. */
import { expect } from 'vitest'
import type { InstallLine } from '@/lib/service/machines/machine'
import { type AdmittedHost, admitTo, sessionProcesses } from './reach'

/** The disturbances: our process is killed, the network is cut, the host reboots or loses power. */
export const disturbances = ['follower killed', 'network cut', 'reboot', 'power cut'] as const

export type Disturbance = (typeof disturbances)[number]

export type Point = {
  /** The name of the step that is disturbed, once it has printed this many lines from the first that begins with the text. */
  step: string
  from: string
  lines: number
  what: Disturbance
}

/**
 * Installs while the disturbances happen in their order, and starts again as often as needed. No line is missed or repeated, and
 * a run that was ended from outside says so and names the step. Resolves with the disturbances that happened.
 */
export async function installThrough(admitted: AdmittedHost, points: readonly Point[]): Promise<Point[]> {
  const happened: Point[] = []
  let follower: Follower = admitted
  let last = (await follower.machine.install.start()).firstLine
  let said = 0
  for (let follows = 0; follows <= points.length; follows++) {
    const end = await followUntil(follower, last, (line) => {
      const point = points[happened.length]
      if (point === undefined || line.step !== point.step || (said === 0 && !line.message.startsWith(point.from))) return null
      said += 1
      if (said <= point.lines) return null
      said = 0
      happened.push(point)
      return () => disturb(admitted, point.what)
    })
    last = end.last
    if (end.status === 'done') return happened
    if (end.status === 'running') {
      // Like a service that restarts: it resumes the existing run and starts nothing.
      follower = await admitTo(admitted.host)
      continue
    }
    // A short step may end before its disturbance happens.
    expect(end.error).toContain(`during the step “${end.step}”`)
    expect(await follower.machine.install.start()).toEqual({ firstLine: last, attached: false })
  }
  throw new Error('the installation does not come to its end')
}

type Follower = Pick<AdmittedHost, 'machine' | 'connections'>

type End = { last: number; step: string; status: InstallLine['status']; error: string }

/** Follows one run; `running` means that the follower was killed. */
async function followUntil(
  { machine, connections }: Follower,
  afterLine: number,
  choose: (line: InstallLine) => (() => Promise<boolean>) | null,
): Promise<End> {
  const killed = new AbortController()
  const end: End = { last: afterLine, step: '', status: 'running', error: '' }
  let disturbing: Promise<unknown> = Promise.resolve()
  for await (const line of machine.install.follow(afterLine, killed.signal)) {
    expect(line.line).toBe(end.last + 1)
    Object.assign(end, { last: line.line, step: line.step, status: line.status, error: line.error ?? '' })
    const act = choose(line)
    if (act === null) continue
    disturbing = act().then((kills) => kills && killed.abort())
  }
  await disturbing
  if (killed.signal.aborted) await connections.close()
  return end
}

/** True if our own process is the one that is killed. */
async function disturb({ host }: AdmittedHost, what: Disturbance): Promise<boolean> {
  if (what === 'reboot') await host.reboot()
  if (what === 'power cut') await host.powerCut()
  if (what === 'network cut') {
    await host.cutNetwork()
    await host.run(`pkill -KILL -f '${sessionProcesses}'`)
    await host.restoreNetwork()
  }
  return what === 'follower killed'
}
