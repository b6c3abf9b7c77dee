'use client'

import type { ConnectionView } from '@/lib/portal/subjects/connections/list'
import { showProblem } from '../../_shared/access-requests/held'
import { callAction } from '../../_shared/forms/call-action'
import { Button } from '../../_ui/button'
import { Dialog, DialogActions } from '../../_ui/dialog'
import { toast } from '../../_ui/toast'
import { freezeConnection } from './actions'
import { formatFrozen, formatStops } from './freeze-words'
import { useKeysChanged } from './use-keys-changed'

/** Asks before the team's last connection is frozen, because nothing is left that works for everybody. */
export function FreezeLast({ connection, onClose }: { connection: ConnectionView; onClose: () => void }) {
  const changed = useKeysChanged()
  const freeze = async () => {
    onClose()
    const answer = await callAction(freezeConnection, { connectionId: connection.id })
    if (answer.ok) toast(formatFrozen(connection))
    else showProblem(answer.problem)
    changed()
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Freeze ${connection.label}?`}
      description={`It is the team’s last connection that is not frozen. ${formatStops(connection)}`}
    >
      <div className="mt-6">
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="warn-solid" onClick={() => void freeze()}>
            Freeze
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}
