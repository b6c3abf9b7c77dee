import type { ListedServer } from '@/lib/portal/servers/row'
import type { Tone } from '../../_ui/state-chip'

type Look = { word: string; tone: Tone; live?: boolean }

type Standing = Pick<ListedServer, 'state' | 'runningJobId'>

const looks: Record<string, Look> = {
  new: { word: 'Not installed', tone: 'neutral' },
  installing: { word: 'Installing', tone: 'accent', live: true },
  ready: { word: 'Ready', tone: 'ok' },
  failed: { word: 'Install failed', tone: 'danger' },
}

const listed: Look = { word: 'Listed', tone: 'neutral' }

/** new, installing, ready or failed; listed where the service says nothing of it. */
export function stateOf({ state, runningJobId }: Standing): string {
  if (runningJobId) return 'installing'
  return Object.hasOwn(looks, state) ? state : 'listed'
}

export const sayState = (state: string): string => (looks[state] ?? listed).word

/** How a server's state looks. A service that says nothing of it has the server listed, no more. */
export const lookOf = (server: Standing): Look => looks[stateOf(server)] ?? listed

/** Not installed, or broken down on the way. */
export const needsInstall = (server: Standing): boolean => ['new', 'failed'].includes(stateOf(server))
