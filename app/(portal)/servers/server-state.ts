import type { ServerRow } from '@/lib/portal/servers/row'
import type { Tone } from '../../_ui/state-chip'

type Look = { word: string; tone: Tone; live?: boolean }

const looks: Record<string, Look> = {
  new: { word: 'Not installed', tone: 'neutral' },
  installing: { word: 'Installing', tone: 'accent', live: true },
  ready: { word: 'Ready', tone: 'ok' },
  failed: { word: 'Install failed', tone: 'danger' },
}

/** How a server's state looks. A service that says nothing of it has the server listed, no more. */
export function lookOf(server: Pick<ServerRow, 'state' | 'runningJobId'>): Look {
  const state = server.runningJobId ? 'installing' : server.state
  return looks[state] ?? { word: 'Listed', tone: 'neutral' }
}
