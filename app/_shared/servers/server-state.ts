import { type ServerState, type Standing, serverStateOf } from '@/lib/contract/reachability'
import type { Tone } from '../../_ui/state-chip'

type Chip = { label: string; tone: Tone; live?: boolean }

const chips: Record<ServerState, Chip> = {
  new: { label: 'Not installed', tone: 'neutral' },
  installing: { label: 'Installing', tone: 'accent', live: true },
  ready: { label: 'Ready', tone: 'ok' },
  failed: { label: 'Install failed', tone: 'danger' },
  rebooting: { label: 'Rebooting…', tone: 'accent', live: true },
  unreachable: { label: 'Unreachable', tone: 'danger' },
  unknown: { label: 'Unknown', tone: 'neutral' },
  listed: { label: 'Listed', tone: 'neutral' },
}

/** `state` comes from an address, so it may be anything. */
export const formatState = (state: string): string => (Object.hasOwn(chips, state) ? chips[state as ServerState] : chips.listed).label

/** The chip for a server's state. */
export const chipOf = (server: Standing): Chip => chips[serverStateOf(server)]

/** Not installed, or its install failed. */
export const needsInstall = (server: Standing): boolean => ['new', 'failed'].includes(serverStateOf(server))
