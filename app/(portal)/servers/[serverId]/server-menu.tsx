'use client'

import { Ellipsis } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { ConfirmDestroy } from '../../../_shared/confirm-destroy'
import { useDropServer } from '../../../_shared/use-server-list'
import { Button } from '../../../_ui/button'
import { Menu, MenuItem, MenuNote } from '../../../_ui/menu'
import { toast } from '../../../_ui/toast'
import { deleteServer } from './actions'

/** What is seldom done to a server. */
export function ServerMenu({ serverId, name, mayDelete }: { serverId: string; name: string; mayDelete: boolean }) {
  const [deleting, setDeleting] = useState(false)
  const router = useRouter()
  const drop = useDropServer()
  return (
    <>
      <Menu
        trigger={
          <Button aria-label="More actions" icon>
            <Ellipsis aria-hidden size={16} strokeWidth={1.5} />
          </Button>
        }
      >
        {mayDelete ? (
          <MenuItem danger onSelect={() => setDeleting(true)}>
            Delete server
          </MenuItem>
        ) : (
          <MenuNote>Your role does not allow changes to servers.</MenuNote>
        )}
      </Menu>
      <ConfirmDestroy
        open={deleting}
        onOpenChange={setDeleting}
        title="Delete server"
        says={
          <p>
            <strong className="font-semibold text-ink">{name}</strong> is removed from this list; the machine itself keeps running. Our key
            is taken off it where it can be reached.
          </p>
        }
        name={name}
        action={deleteServer}
        target={{ serverId }}
        onDone={() => {
          toast(`${name} was deleted from the list.`)
          drop(serverId)
          router.push('/servers')
        }}
      />
    </>
  )
}
