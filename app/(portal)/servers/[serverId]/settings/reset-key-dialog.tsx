'use client'

import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import { useForeign } from '@/app/_shared/connections/foreign-service'
import { ConfirmDestroy } from '@/app/_shared/dialogs/confirm-destroy'
import { useAction } from '@/app/_shared/forms/action-form'
import { StepUpField } from '@/app/_shared/session/step-up-field'
import { Button } from '@/app/_ui/button'
import { CodeBlock } from '@/app/_ui/code-block'
import { Dialog, DialogActions } from '@/app/_ui/dialog'
import { Notice } from '@/app/_ui/notice'
import { Waiting } from '@/app/_ui/skeleton'
import { toast } from '@/app/_ui/toast'
import type { Problem } from '@/lib/contract/problem'
import { PassField, UserField } from '../../login-fields'
import { askHostKeyAgain, resetKey } from '../actions'

type ResetKeyDialogProps = {
  serverId: string
  name: string
  /** The known host key; empty if the service does not report it. */
  hostKey: string
  onClose: () => void
}

/** Shows the host key, then gives the service access again: with a login that is used once, the typed name, and a fresh sign-in. */
export function ResetKeyDialog({ serverId, name, hostKey, onClose }: ResetKeyDialogProps) {
  const foreign = useForeign()
  const { asking, shown, refusal, ask } = useHostKeyOnShow(serverId)
  const router = useRouter()
  if (asking || refusal) return <NotYet asking={asking} refusal={refusal} onAgain={ask} onClose={onClose} />
  return (
    <ConfirmDestroy
      open
      onOpenChange={onClose}
      title="Rotate SSH key"
      description={
        foreign ? (
          <p>
            The service gets a login for <strong className="font-semibold text-ink">{name}</strong> and rotates its SSH key. The service
            decides what it does on the server.
          </p>
        ) : (
          <p>
            The service logs in to <strong className="font-semibold text-ink">{name}</strong> once, adds a new SSH key and tests it. Then
            the old key is removed.
          </p>
        )
      }
      name={name}
      action={resetKey}
      target={{ serverId, ...(shown !== null && { host_key: shown }) }}
      onDone={() => {
        toast(`${name} has a new SSH key.`)
        onClose()
        router.refresh()
      }}
    >
      <HostKeyOnShow shown={shown} onRecord={hostKey} />
      <UserField foreign={foreign} />
      <PassField foreign={foreign} />
      <StepUpField />
    </ConfirmDestroy>
  )
}

type NotYetProps = { asking: boolean; refusal: Problem | null; onAgain: () => void; onClose: () => void }

function NotYet({ asking, refusal, onAgain, onClose }: NotYetProps) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Rotate SSH key"
      description="First, Gatehouse reads the server’s host key. Nothing is sent to it yet."
    >
      <div className="mt-4 mb-6">
        {refusal && !asking ? <Notice tone="danger" alert title={refusal.sentence} /> : <Waiting description="Reading the host key." />}
      </div>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" disabled={asking} onClick={onAgain}>
          Try again
        </Button>
      </DialogActions>
    </Dialog>
  )
}

type HostKeyState = {
  asking: boolean
  /** Null for a service that cannot show one. */
  shown: string | null
  /** Why no host key could be shown. */
  refusal: Problem | null
  ask: () => void
}

/** Asks when the dialog opens. */
function useHostKeyOnShow(serverId: string): HostKeyState {
  const { answer, pending: asking, send } = useAction(askHostKeyAgain, { repeatable: true })
  const ask = () => void send({ serverId })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it opens
  useEffect(ask, [])
  const problem = answer && !answer.ok ? answer.problem : null
  const shown = problem?.code === 'host_key_unconfirmed' ? (problem.hostKey ?? null) : null
  const refusal = shown !== null || problem?.code === 'not_built' ? null : problem
  return { asking: asking || answer === null, shown, refusal, ask }
}

type HostKeyOnShowProps = {
  /** Null for a service that cannot show it before logging in. */
  shown: string | null
  /** Empty if the service does not report it. */
  onRecord: string
}

/** The host key that the server shows next to the known one, and what a difference means. */
function HostKeyOnShow({ shown, onRecord }: HostKeyOnShowProps) {
  if (shown === null) {
    return (
      <Notice tone="info" title="The host key cannot be compared.">
        This service logs in without showing the host key first. Continue only if you trust the network between the two.
      </Notice>
    )
  }
  if (shown === onRecord) {
    return (
      <Notice tone="ok" title="The server presents its known host key.">
        <code className="font-mono text-code break-all">{shown}</code>
      </Notice>
    )
  }
  return (
    <div className="flex flex-col gap-2.5">
      {onRecord === '' ? (
        <Notice tone="info" title="No known host key to compare with.">
          Compare it on the server itself before you enter a password.
        </Notice>
      ) : (
        <Notice tone="warn" title="The server’s host key has changed.">
          This happens after a reinstall, but also when someone intercepts the connection. Compare the keys before you enter a password.
        </Notice>
      )}
      <dl className="flex flex-col gap-1.5 text-small">
        {onRecord === '' ? null : <Key term="Known" value={onRecord} />}
        <Key term="Presented now" value={shown} />
      </dl>
      <p className="text-small text-muted">Run this on the server, in a console you trust, to print the correct one:</p>
      <CodeBlock text="ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub" what="the command" />
    </div>
  )
}

const Key = ({ term, value }: { term: string; value: string }) => (
  <div>
    <dt className="text-muted">{term}</dt>
    <dd className="font-mono text-code break-all">{value}</dd>
  </div>
)
