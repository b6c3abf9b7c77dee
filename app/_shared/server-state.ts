import { type ServerState, type Standing, serverStateOf } from '@/lib/contract/reachability'
import type { Tone } from '../_ui/state-chip'

type Chip = { word: string; tone: Tone; live?: boolean }

const chips: Record<ServerState, Chip> = {
  new: { word: 'Not installed', tone: 'neutral' },
  installing: { word: 'Installing', tone: 'accent', live: true },
  ready: { word: 'Ready', tone: 'ok' },
  failed: { word: 'Install failed', tone: 'danger' },
  unreachable: { word: 'Unreachable', tone: 'danger' },
  unknown: { word: 'Unknown', tone: 'neutral' },
  listed: { word: 'Listed', tone: 'neutral' },
}

/** `state` as it stands in an address, which is anybody's to write. */
export const formatState = (state: string): string => (Object.hasOwn(chips, state) ? chips[state as ServerState] : chips.listed).word

/** How a server's state looks. */
export const chipOf = (server: Standing): Chip => chips[serverStateOf(server)]

/** Not installed, or its install failed. */
export const needsInstall = (server: Standing): boolean => ['new', 'failed'].includes(serverStateOf(server))
