'use client'

import { Plus } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useCallback, useState } from 'react'
import { LabelForm, useLabels } from '@/app/_shared/labels/label-form'
import { Dialog } from '@/app/_ui/dialog'
import { LabelChip } from '@/app/_ui/label-chip'
import { toast } from '@/app/_ui/toast'

type ServerLabelsProps = {
  serverId: string
  labels: readonly string[]
  known: readonly string[]
  /** Which of them give access: only those who may change access add and remove them. */
  giving: readonly string[]
  mayChange: boolean
  mayGrant: boolean
}

/** The labels of a server, each with a button to remove it, and one to add more. */
export function ServerLabels({ serverId, labels, known, giving, mayChange, mayGrant }: ServerLabelsProps) {
  const [adding, setAdding] = useState(false)
  const router = useRouter()
  const { change } = useLabels(
    'server',
    useCallback(() => router.refresh(), [router]),
  )
  const remove = (label: string) => change([serverId], 'remove', label).then((refusal) => refusal !== null && toast.error(refusal))
  if (!mayChange && labels.length === 0) return null
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      {labels.map((label) => (
        <LabelChip
          key={label}
          name={label}
          gives={giving.includes(label) ? `Gives access.${mayGrant ? '' : ' A team owner or admin can remove it.'}` : undefined}
          className="max-w-48"
          onRemove={mayChange && (mayGrant || !giving.includes(label)) ? () => void remove(label) : undefined}
        />
      ))}
      {mayChange ? (
        <button
          type="button"
          onClick={() => setAdding(true)}
          className="inline-flex h-6 touch:h-9 items-center gap-1 rounded-control px-1.5 text-chip font-semibold text-muted hover:bg-accent-soft hover:text-ink"
        >
          <Plus aria-hidden size={14} strokeWidth={1.5} />
          Label
        </button>
      ) : null}
      <Dialog
        open={adding}
        onOpenChange={setAdding}
        title="Label this server"
        description="Labels help your team find servers. They are not sent to the service."
      >
        <LabelForm
          noun="server"
          ids={[serverId]}
          known={known.filter((name) => !labels.includes(name))}
          giving={giving}
          mayGrant={mayGrant}
          onDone={() => {
            setAdding(false)
            router.refresh()
          }}
        />
      </Dialog>
    </span>
  )
}
