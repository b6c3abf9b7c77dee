'use client'

import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../_ui/button'
import { Menu, MenuItem, MenuNote } from '../../../_ui/menu'
import { DeleteServer } from './delete-server'

/** What is seldom done to a server. */
export function ServerMenu({ serverId, name, mayDelete }: { serverId: string; name: string; mayDelete: boolean }) {
  const [deleting, setDeleting] = useState(false)
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
      <DeleteServer serverId={serverId} name={name} open={deleting} onOpenChange={setDeleting} />
    </>
  )
}
