'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { useForeign } from '@/app/_shared/connections/foreign-service'
import { ConfirmDestroy } from '@/app/_shared/dialogs/confirm-destroy'
import { useDropServer } from '@/app/_shared/servers/use-server-list'
import { StepUpField } from '@/app/_shared/session/step-up-field'
import { useSiteList } from '@/app/_shared/sites/use-site-list'
import { countOf } from '@/app/_ui/count'
import { EarlyButton } from '@/app/_ui/early-button'
import { Card, Section } from '@/app/_ui/section'
import { toast } from '@/app/_ui/toast'
import { toReadableDomain } from '@/lib/text/idn'
import { deleteServer } from './actions'

type DeleteServerProps = {
  serverId: string
  name: string
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Asks for the name and a fresh sign-in, deletes, and returns to the list. */
export function DeleteServer({ serverId, name, open, onOpenChange }: DeleteServerProps) {
  const foreign = useForeign()
  const router = useRouter()
  const drop = useDropServer()
  const leave = (cleaned: boolean | undefined) => {
    if (cleaned === false) toast.error(formatLeft(name))
    else toast(`${name} was deleted from the list.`)
    drop(serverId)
    router.push('/servers')
  }
  return (
    <ConfirmDestroy
      open={open}
      onOpenChange={onOpenChange}
      title="Delete server"
      description={
        <>
          <p>
            <strong className="font-semibold text-ink">{name}</strong> is removed from{' '}
            {foreign
              ? 'the service and from this list. The service decides what happens on the server.'
              : 'this list. The server itself keeps running. The SSH key of Gatehouse is removed from it if it is reachable.'}
          </p>
          <LeavingSites serverId={serverId} foreign={foreign} />
        </>
      }
      name={name}
      action={deleteServer}
      // Navigates from here rather than after the success is rendered: with a fresh sign-in the page is rendered again, and the server
      // no longer exists.
      onAnswer={(answer) => {
        if (answer.ok) leave(answer.data.cleaned)
      }}
      target={{ serverId }}
      onDone={() => onOpenChange(false)}
    >
      <StepUpField />
    </ConfirmDestroy>
  )
}

const formatLeft = (name: string): string =>
  `${name} was deleted from the list, but the server was unreachable: the SSH key of Gatehouse is still in its authorized_keys, on the line that ends in “gatehouse:” and an id.`

type LeavingSitesProps = { serverId: string; foreign: boolean }

/** What becomes of a server’s sites when it is deleted. The list is read when the confirmation opens, so that the count is current. */
function LeavingSites({ serverId, foreign }: LeavingSitesProps) {
  const { list, problem } = useSiteList()
  const domains = list?.sites.filter((site) => site.serverId === serverId).map(({ domain }) => domain)
  // As high as one line from the start, so that the form below does not move.
  return <p className="mt-1.5 min-h-5">{domains ? describe(domains, foreign) : problem ? unread : 'Counting its sites…'}</p>
}

const unread = 'Its sites could not be counted.'

function describe(domains: readonly string[], foreign: boolean) {
  const [first] = domains
  if (first === undefined) return 'It has no sites.'
  const one = domains.length === 1
  const sites = (
    <strong className="font-semibold text-ink wrap-anywhere">{one ? toReadableDomain(first) : countOf(domains.length, 'site')}</strong>
  )
  if (foreign) return <>The service also decides what happens to {sites} on it.</>
  return (
    <>
      Its {one ? 'site ' : null}
      {sites} {one ? 'leaves' : 'leave'} the list with it, but {one ? 'keeps' : 'keep'} running on the server, with nightly backups. Adding
      the server again brings {one ? 'it' : 'them'} back.
    </>
  )
}

/** Irreversible actions come last. */
export function DangerZone({ serverId, name }: { serverId: string; name: string }) {
  const foreign = useForeign()
  const [deleting, setDeleting] = useState(false)
  return (
    <Section title="Delete">
      <Card className="flex flex-wrap items-center justify-between gap-4 p-4">
        <p className="min-w-0 flex-1 basis-72 text-muted">
          {foreign
            ? 'Removes the server from the service and from this list. The service decides what happens on the server.'
            : 'Removes the server from this list, and the SSH key and files of Gatehouse from the server. The server and everything that runs on it stay.'}
        </p>
        <EarlyButton id="delete-server" variant="danger" onClick={() => setDeleting(true)}>
          Delete server
        </EarlyButton>
      </Card>
      <DeleteServer serverId={serverId} name={name} open={deleting} onOpenChange={setDeleting} />
    </Section>
  )
}
