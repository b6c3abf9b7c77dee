/** Visitors of a sandbox site: each hour of each site always has the same, more by day than at night. */
import { createHash } from 'node:crypto'
import type { SiteOnHost } from '../sites'
import { type SiteTraffic, type TrafficHour, trafficHours } from '../traffic'

const hourMs = 3_600_000

/** Sites whose domain begins with `quiet.` have no visitors, and those that begin with `down.` answer nobody. */
export function trafficOf({ domain }: SiteOnHost, nowMs: number): SiteTraffic {
  const first = Math.floor(nowMs / hourMs) - (trafficHours - 1)
  const hours = Array.from({ length: trafficHours }, (_, at): TrafficHour => {
    const hour = first + at
    const passed = Math.min(1, (nowMs - hour * hourMs) / hourMs)
    return domain.startsWith('quiet.') ? { requests: 0, clientErrors: 0, serverErrors: 0 } : visitorsOf(domain, hour, passed)
  })
  const isDown = domain.startsWith('down.')
  const answer = isDown ? { status: 0, firstByteMs: 0 } : { status: 200, firstByteMs: 40 + (chanceOf(domain, first) % 160) }
  return { from: (first * hourMs) / 1000, hours, whole: true, answer }
}

const chanceOf = (domain: string, hour: number): number => createHash('md5').update(`visitors ${domain} ${hour}`).digest().readUInt32BE()

function visitorsOf(domain: string, hour: number, passed: number): TrafficHour {
  const chance = chanceOf(domain, hour)
  const byDay = 1 + Math.sin(((hour % 24) / 24) * 2 * Math.PI - Math.PI / 2)
  const requests = Math.floor((20 + (chance % 60) + byDay * 180) * passed)
  const clientErrors = Math.floor((requests * (chance % 7)) / 100)
  const serverErrors = chance % 11 === 0 ? Math.floor(requests / 40) : 0
  return { requests, clientErrors, serverErrors }
}
