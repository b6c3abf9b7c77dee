'use client'

import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { operationRead } from '@/app/_shared/reads/read-address'
import { ReadError } from '@/app/_shared/reads/read-error'
import { useOperation } from '@/app/_shared/reads/use-read'
import { callUndoable } from '@/app/_shared/undo/undoable'
import { Button } from '@/app/_ui/button'
import { EarlyButton } from '@/app/_ui/early-button'
import { EmptyState } from '@/app/_ui/empty-state'
import { lazyComponent } from '@/app/_ui/lazy'
import { Card, Section } from '@/app/_ui/section'
import { Skeleton, Waiting } from '@/app/_ui/skeleton'
import { StateChip } from '@/app/_ui/state-chip'
import type { Answer } from '@/lib/contract/operation'
import type { sftp } from '@/lib/contract/operations/sftp'
import { deleteSftpKey } from '../actions'

const AddSftpKey = lazyComponent(() => import('./add-sftp-key').then((file) => file.AddSftpKey))

type Key = Answer<typeof sftp.list>['items'][number]

type SftpKeysProps = { siteId: string; user: string; may: boolean }

const addId = 'add-sftp-key'

/** The keys with which the site's user signs in. Nothing for a service that does not report them. */
export function SftpKeys({ siteId, user, may }: SftpKeysProps) {
  const read = useOperation('sftp.list', { siteId }, { everyMs: 60_000 })
  const [adding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<string | null>(null)
  const { data, problem } = read
  const unreported = problem?.code === 'not_built' || problem?.code === 'not_found'
  if (data === null && unreported) return null
  const refetch = [operationRead('sftp.list', { siteId })]
  const close = () => {
    setAdding(false)
    requestAnimationFrame(() => document.getElementById(addId)?.focus())
  }
  const remove = ({ fingerprint, comment }: Key) => {
    const during = async (work: () => Promise<void>) => {
      setRemoving(fingerprint)
      await work().finally(() => setRemoving(null))
      document.getElementById(addId)?.focus()
    }
    const message = `The key ${shorten(comment) || fingerprint} was removed.`
    void callUndoable(deleteSftpKey, { siteId, fingerprint }, { message, refetch, during })
  }
  const keys = data?.items ?? []
  const addButton =
    may && data !== null ? (
      <EarlyButton id={addId} onClick={() => setAdding(true)}>
        <Plus aria-hidden size={16} strokeWidth={1.5} />
        Add key
      </EarlyButton>
    ) : undefined
  return (
    <Section title="SFTP keys" aside={addButton}>
      <ReadError read={read} nothingRead="The SFTP keys could not be read." />
      {data === null && problem === null ? <Reading /> : null}
      {data === null ? null : (
        <Card>
          {keys.length === 0 ? (
            <EmptyState title="No keys yet">
              <p>With the private half of a key that is added here, {user} signs in without the password.</p>
            </EmptyState>
          ) : (
            <ul className="divide-y divide-line">
              {keys.map((key) => (
                <KeyRow key={key.fingerprint} of={key} may={may} removing={removing} onRemove={() => remove(key)} />
              ))}
            </ul>
          )}
        </Card>
      )}
      {adding ? <AddSftpKey siteId={siteId} user={user} refetch={refetch} onClose={close} /> : null}
    </Section>
  )
}

const Reading = () => (
  <>
    <Card className="flex min-h-[52px] items-center px-4">
      <Skeleton className="h-4 w-40" />
    </Card>
    <Waiting description="Reading the SFTP keys." />
  </>
)

type KeyRowProps = { of: Key; may: boolean; removing: string | null; onRemove: () => void }

function KeyRow({ of: { fingerprint, type, bits, comment, key }, may, removing, onRemove }: KeyRowProps) {
  return (
    <li className="flex items-center gap-3 px-4 py-2">
      <div className="min-w-0 flex-1">
        <p className="line-clamp-2 wrap-anywhere" title={comment}>
          {comment || <span className="text-muted">No comment</span>}
        </p>
        <p className="font-mono text-code text-muted wrap-anywhere">{fingerprint}</p>
        <p className="text-small text-muted">
          {type}
          {bits === undefined ? '' : `, ${bits} bits`}
          {key === '' ? '. Limited by options on the server.' : ''}
        </p>
      </div>
      {removing === fingerprint ? <StateChip tone="accent" label="Removing…" live /> : null}
      {may ? (
        <Button
          variant="ghost"
          icon
          aria-label={`Remove ${shorten(comment) || fingerprint}`}
          disabled={removing !== null}
          onClick={onRemove}
        >
          <Trash2 aria-hidden size={16} strokeWidth={1.5} />
        </Button>
      ) : null}
    </li>
  )
}

const maxNameLength = 60

/** A comment for messages and labels. */
const shorten = (comment: string): string => (comment.length > maxNameLength ? `${comment.slice(0, maxNameLength)}…` : comment)
