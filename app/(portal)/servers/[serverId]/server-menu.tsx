'use client'

import { Ellipsis } from 'lucide-react'
import { Fragment, useState } from 'react'
import { useForeign } from '@/app/_shared/connections/foreign-service'
import { ConfirmDestroy } from '@/app/_shared/dialogs/confirm-destroy'
import { confirmedServerActions } from '@/app/_shared/forms/confirmed-actions'
import { read } from '@/app/_shared/reads/read'
import { operationRead } from '@/app/_shared/reads/read-address'
import { Button } from '@/app/_ui/button'
import { Menu, MenuItem, MenuNote } from '@/app/_ui/menu'
import { toast } from '@/app/_ui/toast'
import { runConfirmed } from './actions'
import { DeleteServer } from './delete-server'

/** Rare actions for a server. */
export function ServerMenu({ serverId, name, mayDelete }: { serverId: string; name: string; mayDelete: boolean }) {
  const [deleting, setDeleting] = useState(false)
  const [confirming, setConfirming] = useState<string | null>(null)
  const foreign = useForeign()
  const summary = operationRead('servers.summary', { serverId })
  const offered = mayDelete ? confirmedServerActions.filter(({ extension }) => !(foreign && extension)) : []
  return (
    <>
      <Menu
        trigger={
          <Button aria-label="More actions" icon>
            <Ellipsis aria-hidden size={16} strokeWidth={1.5} />
          </Button>
        }
      >
        {offered.map(({ id, title }) => (
          <MenuItem key={id} onSelect={() => setConfirming(id)}>
            {title}
          </MenuItem>
        ))}
        {mayDelete ? (
          <MenuItem danger onSelect={() => setDeleting(true)}>
            Delete server
          </MenuItem>
        ) : (
          <MenuNote>Your role does not allow changes to servers.</MenuNote>
        )}
      </Menu>
      {offered.map(({ id, title, operation, description, done }) => (
        <Fragment key={id}>
          {/* For the palette, which clicks a control on the page. */}
          <button type="button" hidden id={id} aria-hidden tabIndex={-1} onClick={() => setConfirming(id)} />
          <ConfirmDestroy
            open={confirming === id}
            onOpenChange={(open) => setConfirming(open ? id : null)}
            title={title}
            description={<p>{description(name)}</p>}
            name={name}
            action={runConfirmed}
            target={{ serverId, operation }}
            refetch={[summary]}
            onDone={() => {
              toast(done(name))
              // The header of every page shows the newest check; the other pages do not read the summary themselves.
              void read(summary).catch(() => undefined)
              setConfirming(null)
            }}
          />
        </Fragment>
      ))}
      <DeleteServer serverId={serverId} name={name} open={deleting} onOpenChange={setDeleting} />
    </>
  )
}
