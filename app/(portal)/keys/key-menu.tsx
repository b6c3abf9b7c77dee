'use client'

import type { ConnectionView } from '@/lib/portal/subjects/connections/list'
import { callAction } from '../../_shared/forms/call-action'
import { MenuItem, MenuLink, MenuNote } from '../../_ui/menu'
import { toast } from '../../_ui/toast'
import { checkConnection } from './actions'
import { FreezeItem } from './freeze-button'
import { useKeysChanged } from './use-keys-changed'

export type KeyDialog = 'rename' | 'replace' | 'remove' | 'freeze'

/** The id of the menu's button. */
export const menuIdOf = (connectionId: string): string => `menu-${connectionId}`

type KeyMenuProps = { connection: ConnectionView; onOpen: (dialog: KeyDialog) => void }

/** The items of a connection's menu. Items that the user may not use are disabled and say why. */
export function KeyMenuItems({ connection, onOpen }: KeyMenuProps) {
  const { id, label, changeRefusal, removeRefusal } = connection
  const check = useCheck(id, label)
  const freeze = (
    <>
      <MenuLink href={`/activity?connection=${id}`}>Activity</MenuLink>
      <FreezeItem connection={connection} onAsk={() => onOpen('freeze')} />
      {connection.keeper === 'own' ? <MenuLink href={`/keys/${id}`}>Lending and uses</MenuLink> : null}
      {connection.ownerName !== null || changeRefusal === null ? <MenuLink href={`/reach?of=connection&id=${id}`}>Reach</MenuLink> : null}
    </>
  )
  if (changeRefusal && removeRefusal) {
    return (
      <>
        <MenuNote>{changeRefusal}</MenuNote>
        {freeze}
      </>
    )
  }
  if (changeRefusal) {
    return (
      <>
        <MenuNote>{changeRefusal}</MenuNote>
        {freeze}
        <MenuItem danger onSelect={() => onOpen('remove')}>
          Remove connection
        </MenuItem>
      </>
    )
  }
  return (
    <>
      <MenuItem onSelect={() => void check()}>Check now</MenuItem>
      {freeze}
      <MenuItem onSelect={() => onOpen('rename')}>Rename</MenuItem>
      <MenuItem onSelect={() => onOpen('replace')}>Replace key</MenuItem>
      {removeRefusal ? (
        <div className="mt-1 max-w-64 border-t border-line px-2.5 pt-1.5 pb-2 text-small text-muted">{removeRefusal}</div>
      ) : (
        <MenuItem danger onSelect={() => onOpen('remove')}>
          Remove connection
        </MenuItem>
      )}
    </>
  )
}

/** Checks the connection now, and shows the result in a toast. */
function useCheck(connectionId: string, label: string): () => Promise<void> {
  const changed = useKeysChanged()
  return async () => {
    const answer = await callAction(checkConnection, { connectionId })
    if (answer.ok) toast(`${label} works.`)
    else toast.error(`${label}: ${answer.problem.sentence}`)
    changed()
  }
}
