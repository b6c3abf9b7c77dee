'use client'

import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { useForeign } from '@/app/_shared/connections/foreign-service'
import { confirmedServerActions } from '@/app/_shared/forms/confirmed-actions'
import { Button } from '@/app/_ui/button'
import { prefetchDialogs } from '@/app/_ui/dialog'
import { lazyComponent } from '@/app/_ui/lazy'
import { Menu, MenuItem, MenuLink, MenuNote } from '@/app/_ui/menu'

const ServerDialogs = lazyComponent(() => import('./server-dialogs').then((file) => file.ServerDialogs))

const prefetch = () => {
  ServerDialogs.prefetch()
  prefetchDialogs()
}

/** Rare actions for a server. */
export function ServerMenu({ serverId, name, mayDelete }: { serverId: string; name: string; mayDelete: boolean }) {
  const [asked, setAsked] = useState<string | null>(null)
  const foreign = useForeign()
  const offered = mayDelete ? confirmedServerActions.filter(({ extension }) => !(foreign && extension)) : []
  return (
    <>
      <Menu
        prefetch={prefetch}
        trigger={
          <Button aria-label="More actions" icon>
            <Ellipsis aria-hidden size={16} strokeWidth={1.5} />
          </Button>
        }
      >
        <MenuLink href={`/activity?object=${serverId}`}>Activity</MenuLink>
        {offered.map(({ id, title }) => (
          <MenuItem key={id} onSelect={() => setAsked(id)}>
            {title}
          </MenuItem>
        ))}
        {mayDelete ? (
          <MenuItem danger onSelect={() => setAsked('delete')}>
            Delete server
          </MenuItem>
        ) : (
          <MenuNote>Your role does not allow changes to servers.</MenuNote>
        )}
      </Menu>
      {/* For the palette, which clicks a control on the page. */}
      {offered.map(({ id }) => (
        <button key={id} type="button" hidden id={id} aria-hidden tabIndex={-1} onClick={() => setAsked(id)} />
      ))}
      {asked === null ? null : <ServerDialogs serverId={serverId} name={name} asked={asked} onClose={() => setAsked(null)} />}
    </>
  )
}
