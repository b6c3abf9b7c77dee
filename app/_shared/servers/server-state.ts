import { CircleHelp, CircleX, KeyRound, type LucideIcon, ShieldAlert, Unplug } from 'lucide-react'
import { type ServerState, type Standing, serverStateOf, type UnreachableCause } from '@/lib/contract/reachability'
import type { Tone } from '../../_ui/state-chip'

type Chip = { label: string; tone: Tone; live?: boolean; icon?: LucideIcon }

const chips: Record<ServerState, Chip> = {
  new: { label: 'Not installed', tone: 'neutral' },
  installing: { label: 'Installing', tone: 'accent', live: true },
  ready: { label: 'Reachable', tone: 'ok' },
  failed: { label: 'Install failed', tone: 'danger', icon: CircleX },
  rebooting: { label: 'Rebooting…', tone: 'accent', live: true },
  unreachable: { label: 'Unreachable', tone: 'danger', icon: Unplug },
  unknown: { label: 'Unknown', tone: 'neutral', icon: CircleHelp },
  listed: { label: 'Listed', tone: 'neutral' },
}

/** Servers that answer and do not let Gatehouse in: somebody has to look at them, not only to wait. */
const causes: Record<UnreachableCause, Chip> = {
  login_failed: { label: 'Login refused', tone: 'danger', icon: KeyRound },
  host_key_changed: { label: 'Host key changed', tone: 'danger', icon: ShieldAlert },
}

const all: Readonly<Record<string, Chip>> = { ...chips, ...causes }

/** `state` comes from an address, so it may be anything. */
export const formatState = (state: string): string => ((Object.hasOwn(all, state) ? all[state] : null) ?? chips.listed).label

const findCause = (server: Standing): UnreachableCause | undefined =>
  serverStateOf(server) === 'unreachable' && server.reach.kind === 'unreachable' ? server.reach.cause : undefined

/** The values of the filter by state that a server has: one that refuses the login is also unreachable. */
export const stateValuesOf = (server: Standing): string[] =>
  [serverStateOf(server), findCause(server)].filter((value) => value !== undefined)

/** The chip for a server's state. */
export function chipOf(server: Standing): Chip {
  const cause = findCause(server)
  return cause ? causes[cause] : chips[serverStateOf(server)]
}

/** Not installed, or its install failed. */
export const needsInstall = (server: Standing): boolean => ['new', 'failed'].includes(serverStateOf(server))
