/** The state of the fleet as one sentence, whose parts lead to what they are about. What is not known is never counted as good. */
import 'server-only'
import type { StateCounts } from './servers'

/** One part of the sentence. isGood: whether nothing in it needs a look; without it, a sign stands before the text. */
export type FleetPart = { key: string; text: string; href: string; isGood: boolean }

export type FleetFacts = {
  servers: { all: number; states: StateCounts }
  /** up: reported as up, on servers that the newest check reached. down: reported as down or failed. stateless: their service reports no state. */
  sites: { all: number; up: number; down: number; stateless: number }
  /** Of installed servers. unknown: neither is a backup known, nor that there was none. Null if no server tells of its backups. */
  backups: { all: number; done: number; unknown: number } | null
  /** Servers with security updates that wait to be installed. serverId: the only one, or null. */
  updates: { count: number; serverId: string | null }
}

/** In the order in which they are read. Empty without servers and sites. */
export function describeFleet({ servers, sites, backups, updates }: FleetFacts): FleetPart[] {
  return [...describeServers(servers), ...describeSites(sites), ...describeBackups(backups), ...describeUpdates(updates)]
}

const formatCount = (count: number): string => count.toLocaleString('en-GB')
const countOf = (count: number, noun: string): string => `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`

/** "12 servers" if all of them are counted, else "9 of 12 servers". */
const share = (part: number, all: number, noun: string): string =>
  part === all ? countOf(all, noun) : `${formatCount(part)} of ${countOf(all, noun)}`

function describeServers({ all, states }: FleetFacts['servers']): FleetPart[] {
  if (all === 0) return []
  const { ready = 0, listed = 0, unreachable = 0, unknown = 0 } = states
  // A service that reports no installs says of its servers only that it has them.
  const text = listed === 0 ? `${share(ready, all, 'server')} ready` : countOf(all, 'server')
  return [
    { key: 'servers', text, href: '/servers', isGood: true },
    ...some(unreachable, { key: 'unreachable', text: `${formatCount(unreachable)} unreachable`, href: '/servers?state=unreachable' }),
    ...some(unknown, { key: 'unknown', text: `${formatCount(unknown)} unknown`, href: '/servers?state=unknown' }),
  ]
}

function describeSites({ all, up, down, stateless }: FleetFacts['sites']): FleetPart[] {
  if (all === 0) return []
  const unreported = stateless > 0 ? ` (${formatCount(stateless)} more report no state)` : ''
  const text = stateless === all ? countOf(all, 'site') : `${share(up, all - stateless, 'site')} up${unreported}`
  return [
    { key: 'sites', text, href: '/sites', isGood: true },
    ...some(down, { key: 'down', text: `${countOf(down, 'site')} down`, href: '/sites?state=down&state=failed' }),
  ]
}

function describeBackups(backups: FleetFacts['backups']): FleetPart[] {
  if (backups === null || backups.all === 0) return []
  const { all, done, unknown } = backups
  const text = `${share(done, all, 'server')} backed up last night${unknown > 0 ? ` (${formatCount(unknown)} unknown)` : ''}`
  return [{ key: 'backups', text, href: '/backups', isGood: done === all }]
}

function describeUpdates({ count, serverId }: FleetFacts['updates']): FleetPart[] {
  const text = `${countOf(count, 'server')} ${count === 1 ? 'waits' : 'wait'} for security updates`
  const href = serverId === null ? '/servers' : `/servers/${serverId}`
  // Servers install them at night. Those that wait longer are among the problems.
  return count === 0 ? [] : [{ key: 'updates', text, href, isGood: true }]
}

const some = (count: number, part: Omit<FleetPart, 'isGood'>): FleetPart[] => (count === 0 ? [] : [{ ...part, isGood: false }])
