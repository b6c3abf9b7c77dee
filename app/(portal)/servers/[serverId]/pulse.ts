import { portalRead, type ReadAddress } from '@/app/_shared/reads/read-address'
import { formatDuration } from '@/app/_ui/dates'
import type { History, Range } from '@/lib/portal/views/history/read'

/** The address of a range of a server's samples. */
export const historyAddress = (serverId: string, range: Range): ReadAddress<History> =>
  portalRead('/api/servers/[serverId]/history', { serverId, range })

export const dayAddress = (serverId: string): ReadAddress<History> => historyAddress(serverId, '24h')

/** The number of ticks: a day in quarters of an hour. */
export const ticks = 96
export const tickMinutes = 15

/**
 * A day as one character per tick, oldest first: `1` reachable at every check, `0` at none, `~` at some, `-` not checked, or unknown
 * because the service did not answer.
 */
export function pulseOf({ to, slots }: Pick<History, 'to' | 'slots'>): string {
  const signs = new Array<string>(ticks).fill('-')
  for (const { from, checks, reachable } of slots) {
    const index = ticks - (to - from) / tickMinutes
    if (index in signs) signs[index] = reachable === checks ? '1' : reachable === 0 ? '0' : '~'
  }
  return signs.join('')
}

/** Reachable ticks are lower than the others, and unknown ones are a dash, so that it can be read without colours. */
const shapes = { up: ['1', 3, 13], down: ['0~', 0, 16], none: ['-', 8, 2] } as const

/** The outlines of all ticks of a kind as one SVG path each; a tick is 4 wide including its gap, and at most 16 high. */
export function pathsOf(pulse: string): Record<keyof typeof shapes, string> {
  const draw = ([kinds, top, height]: (typeof shapes)[keyof typeof shapes]) =>
    [...pulse].map((sign, index) => (kinds.includes(sign) ? `M${index * 4} ${top}h3v${height}h-3z` : '')).join('')
  return { up: draw(shapes.up), down: draw(shapes.down), none: draw(shapes.none) }
}

const words: Readonly<Record<string, string>> = { '1': 'reachable', '0': 'unreachable', '~': 'unreachable for a part of it' }

export const formatTick = (sign: string | undefined): string => words[sign ?? '-'] ?? 'not checked'

/** When the first figures will arrive for a server that was never checked. */
export const formatFirstTick = (minutes: number): string => `First figures in about ${minutes === 1 ? 'a minute' : `${minutes} minutes`}`

/**
 * The day in a few words; "reachable" only covers the time in which the server was checked. The first check was at some time within its tick, so
 * only the most that passed since is certain. firstInMinutes: as in History.
 */
export function formatPulse(pulse: string, firstInMinutes: number | null = null): string {
  const failed = [...pulse].filter((sign) => sign === '0' || sign === '~').length
  const seen = pulse.replace(/^-+/, '').length
  if (seen === 0) return firstInMinutes === null ? 'No check in the last 24 hours' : formatFirstTick(firstInMinutes)
  if (failed === 0) {
    return seen === ticks
      ? 'Reachable at every check of the last 24 hours'
      : `Reachable at every check, the first less than ${formatMinutes(seen * tickMinutes)} ago`
  }
  return `Unreachable for about ${formatMinutes(failed * tickMinutes)} of the last 24 hours`
}

const formatMinutes = (minutes: number): string => (minutes < 60 ? `${minutes} minutes` : formatDuration(minutes * 60_000))
