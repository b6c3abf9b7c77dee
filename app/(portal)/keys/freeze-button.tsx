'use client'

import type { ConnectionView } from '@/lib/portal/subjects/connections/list'
import { callAction } from '../../_shared/call-action'
import { StartButton } from '../../_shared/start-button'
import { MenuItem } from '../../_ui/menu'
import { toast } from '../../_ui/toast'
import { freezeConnection, thawConnection } from './actions'
import { useKeysChanged } from './use-keys-changed'

const describe = ({ frozen, label }: ConnectionView) =>
  frozen
    ? { action: thawConnection, word: 'Thaw', message: `${label} is used again.` }
    : { action: freezeConnection, word: 'Freeze', message: `${label} is frozen. Streams through it end within 5 seconds.` }

/** Freezes or thaws a connection in one click; for whoever may not, it says why. */
export function FreezeButton({ connection }: { connection: ConnectionView }) {
  const { action, word, message } = describe(connection)
  const changed = useKeysChanged()
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
export function FreezeItem({ connection }: { connection: ConnectionView }) {
  const { action, word, message } = describe(connection)
  const changed = useKeysChanged()
  if (connection.freezeRefusal) return null
  const run = async () => {
    const answer = await callAction(action, { connectionId: connection.id })
    if (answer.ok) toast(message)
    else toast.error(answer.problem.sentence)
    changed()
  }
  return <MenuItem onSelect={() => void run()}>{word}</MenuItem>
}
