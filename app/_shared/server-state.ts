import { type ServerState, type Standing, serverStateOf } from '@/lib/contract/reachability'
import type { Tone } from '../_ui/state-chip'

type Look = { word: string; tone: Tone; live?: boolean }

const looks: Record<ServerState, Look> = {
  new: { word: 'Not installed', tone: 'neutral' },
  installing: { word: 'Installing', tone: 'accent', live: true },
  ready: { word: 'Ready', tone: 'ok' },
  failed: { word: 'Install failed', tone: 'danger' },
  unreachable: { word: 'Unreachable', tone: 'danger' },
  unknown: { word: 'Unknown', tone: 'neutral' },
  listed: { word: 'Listed', tone: 'neutral' },
}

/** `state` as it stands in an address, which is anybody's to write. */
export const formatState = (state: string): string => (Object.hasOwn(looks, state) ? looks[state as ServerState] : looks.listed).word

/** How a server's state looks. */
export const lookOf = (server: Standing): Look => looks[serverStateOf(server)]

/** Not installed, or its install failed. */
export const needsInstall = (server: Standing): boolean => ['new', 'failed'].includes(serverStateOf(server))
