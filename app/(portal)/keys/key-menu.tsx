'use client'

import { Ellipsis } from 'lucide-react'
import { startTransition, useActionState, useEffect, useState } from 'react'
import { toast } from 'sonner'
import type { ConnectionView } from '@/lib/portal/connections/list'
import { Button } from '../../_ui/button'
import { Menu, MenuItem, MenuNote } from '../../_ui/menu'
import { checkConnection } from './actions'
import { RemoveConnection } from './remove-connection'
import { RenameConnection } from './rename-connection'
import { ReplaceKey } from './replace-key'
import { useKeysChanged } from './use-keys-changed'

/** What can be done about one connection. What one may not is said, with the reason. */
export function KeyMenu({ connection }: { connection: ConnectionView }) {
  const { id, label, changeRefusal, removeRefusal } = connection
  const [open, setOpen] = useState<'rename' | 'replace' | 'remove' | null>(null)
  const check = useCheck(id)
  const close = () => setOpen(null)
  return (
    <>
      <Menu
        trigger={
          <Button aria-label={`Actions for ${label}`} icon look="ghost" className="-my-1">
            <Ellipsis aria-hidden size={16} strokeWidth={1.5} />
          </Button>
        }
      >
        {changeRefusal ? (
          <MenuNote>{changeRefusal}</MenuNote>
        ) : (
          <>
            <MenuItem onSelect={check}>Check now</MenuItem>
            <MenuItem onSelect={() => setOpen('rename')}>Rename</MenuItem>
            <MenuItem onSelect={() => setOpen('replace')}>Replace key</MenuItem>
            {removeRefusal ? (
              <div className="mt-1 max-w-64 border-t border-line px-2.5 pt-1.5 pb-2 text-small text-muted">{removeRefusal}</div>
            ) : (
              <MenuItem danger onSelect={() => setOpen('remove')}>
                Remove connection
              </MenuItem>
            )}
          </>
        )}
      </Menu>
      {open === 'rename' ? <RenameConnection connection={connection} onClose={close} /> : null}
      {open === 'replace' ? <ReplaceKey connection={connection} onClose={close} /> : null}
      {open === 'remove' ? <RemoveConnection connection={connection} onClose={close} /> : null}
    </>
  )
}

/** Asks the service now, and says in a toast what came of it. */
function useCheck(connectionId: string): () => void {
  const [answer, send] = useActionState(checkConnection, null)
  const changed = useKeysChanged()
  useEffect(() => {
    if (!answer) return
    if (answer.ok) toast(`${answer.data.label} works.`)
    else toast.error(answer.problem.sentence, { duration: Number.POSITIVE_INFINITY, closeButton: true })
    changed()
  }, [answer, changed])
  return () => {
    const form = new FormData()
    form.set('connectionId', connectionId)
    startTransition(() => send(form))
  }
}
