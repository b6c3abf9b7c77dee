'use client'

import { useRouter } from 'next/navigation'
import { useCallback } from 'react'
import { refetchReads } from '@/app/_shared/reads/use-read'
import type { ConnectionView } from '@/lib/portal/subjects/connections/list'
import { showProblem } from '../../_shared/access-requests/held'
import { callAction } from '../../_shared/forms/call-action'
import { StartButton } from '../../_shared/forms/start-button'
import { portalRead } from '../../_shared/reads/read-address'
import { countOf } from '../../_ui/count'
import { EarlyButton } from '../../_ui/early-button'
import { MenuItem, MenuLink, MenuNote } from '../../_ui/menu'
import { toast } from '../../_ui/toast'
import { checkConnection, freezeConnection, thawConnection } from './actions'

/** Call this after a connection changed: refreshes this page and the list of servers. */
export function useKeysChanged(): () => void {
  const router = useRouter()
  return useCallback(() => {
    void refetchReads([portalRead('/api/servers')])
    router.refresh()
  }, [router])
}

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
function FreezeItem({ connection, onAsk }: FreezeProps) {
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
