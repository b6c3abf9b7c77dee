'use client'

import { useRouter } from 'next/navigation'
import { useForeign } from '@/app/_shared/connections/foreign-service'
import { ConfirmDestroy } from '@/app/_shared/dialogs/confirm-destroy'
import { useDropServer } from '@/app/_shared/servers/use-server-list'
import { StepUpField } from '@/app/_shared/session/step-up-field'
import { toast } from '@/app/_ui/toast'
import { deleteServer } from './actions'
import { LeavingSites } from './leaving-sites'

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
