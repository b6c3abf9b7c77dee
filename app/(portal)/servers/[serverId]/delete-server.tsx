'use client'

import { useRouter } from 'next/navigation'
import { ConfirmDestroy } from '../../../_shared/confirm-destroy'
import { useForeign } from '../../../_shared/foreign-service'
import { StepUpField } from '../../../_shared/step-up-field'
import { useDropServer } from '../../../_shared/use-server-list'
import { toast } from '../../../_ui/toast'
import { deleteServer } from './actions'

type DeleteServerProps = {
  serverId: string
  name: string
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Asks for the name and a fresh sign-in, deletes, and leads back to the list. */
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
        <p>
          <strong className="font-semibold text-ink">{name}</strong> is removed from{' '}
          {foreign
            ? 'the service and from this list. What happens on the machine is up to the service.'
            : 'this list; the machine itself keeps running. Our key is taken off it where it can be reached.'}
        </p>
      }
      name={name}
      action={deleteServer}
      // Left from here and not once it is shown as done: with a fresh sign-in the page comes anew, and there is none any more.
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
  `${name} was deleted from the list, but the machine could not be reached: our key is still in its authorized_keys, on the line that ends in gatehouse: and some letters.`
