'use client'

import type { ConnectionView } from '@/lib/portal/subjects/connections/list'
import { showProblem } from '../../_shared/access-requests/held'
import { callAction } from '../../_shared/forms/call-action'
import { StartButton } from '../../_shared/forms/start-button'
import { countOf } from '../../_ui/count'
import { EarlyButton } from '../../_ui/early-button'
import { MenuItem } from '../../_ui/menu'
import { toast } from '../../_ui/toast'
import { freezeConnection, thawConnection } from './actions'
import { useKeysChanged } from './use-keys-changed'

const describe = (connection: ConnectionView) =>
  connection.frozen
    ? { action: thawConnection, word: 'Thaw', message: `${connection.label} is used again.` }
    : { action: freezeConnection, word: 'Freeze', message: formatFrozen(connection) }

/** onAsk: opens the question that the team's last connection needs. */
type FreezeProps = { connection: ConnectionView; onAsk: () => void }

const mustAsk = ({ frozen, freezeRefusal, lastOfTeam }: ConnectionView): boolean => !frozen && freezeRefusal === null && lastOfTeam

/** Freezes or thaws a connection in one click, unless it is the team's last; for whoever may not, it says why. */
export function FreezeButton({ connection, onAsk }: FreezeProps) {
  const { action, word, message } = describe(connection)
  const changed = useKeysChanged()
  if (mustAsk(connection)) return <EarlyButton onClick={onAsk}>{word}</EarlyButton>
  return (
    <StartButton
      action={action}
      target={{ connectionId: connection.id }}
      label={word}
      variant="outline"
      refusal={connection.freezeRefusal ?? undefined}
      message={() => message}
      onDone={changed}
    />
  )
}

/** The same in the menu, where the table is too narrow for the button. */
export function FreezeItem({ connection, onAsk }: FreezeProps) {
  const { action, word, message } = describe(connection)
  const changed = useKeysChanged()
  if (connection.freezeRefusal) return null
  if (mustAsk(connection)) return <MenuItem onSelect={onAsk}>{word}</MenuItem>
  const run = async () => {
    const answer = await callAction(action, { connectionId: connection.id })
    if (answer.ok) toast(message)
    else showProblem(answer.problem)
    changed()
  }
  return <MenuItem onSelect={() => void run()}>{word}</MenuItem>
}

type Freezing = Pick<ConnectionView, 'label' | 'servers' | 'jobs'>

/** "its 12 servers and 2 running jobs"; empty without any. */
function formatAffected({ servers, jobs }: Freezing): string {
  const parts = [servers ? countOf(servers, 'server') : '', jobs > 0 ? countOf(jobs, 'running job') : ''].filter(Boolean)
  return parts.length === 0 ? '' : `its ${parts.join(' and ')}`
}

/** What stops, before the connection is frozen. */
export function formatStops(connection: Freezing): string {
  const affected = formatAffected(connection)
  const stops = affected === '' ? 'Gatehouse makes no calls with it' : `Gatehouse makes no calls with it for ${affected}`
  return `${stops} until it is thawed. Jobs continue at the service.`
}

/** What stopped. */
export const formatFrozen = (connection: Freezing): string =>
  `${connection.label} is frozen. Streams through it end within 5 seconds. ${formatStops(connection)}`
