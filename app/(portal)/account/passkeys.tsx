'use client'

import { useRouter } from 'next/navigation'
import { useMemo, useState } from 'react'
import { callAction } from '@/app/_shared/forms/call-action'
import { EditInPlace } from '@/app/_shared/forms/edit-in-place'
import { StartButton } from '@/app/_shared/forms/start-button'
import { createPasskey } from '@/app/_shared/passkeys/use-passkey'
import { RelativeTime } from '@/app/_ui/relative-time'
import { Card, Section } from '@/app/_ui/section'
import type { Column } from '@/app/_ui/table/column'
import { Table } from '@/app/_ui/table/table'
import { toast } from '@/app/_ui/toast'
import type { PasskeyToAdd } from '@/lib/portal/identity/passkeys/add'
import type { PasskeyView } from '@/lib/portal/identity/passkeys/own'
import { addPasskey, removePasskey, renamePasskey, startPasskey } from './actions'

const columnsFor = (stays: string | null, onRemoved: () => void): readonly Column<PasskeyView>[] => [
  {
    id: 'name',
    label: 'Name',
    minWidth: 170,
    grows: true,
    main: true,
    cell: ({ id, label }) => (
      <EditInPlace
        action={renamePasskey}
        target={{ passkeyId: id }}
        field="label"
        label="name"
        value={label}
        required
        maxLength={80}
        show={(name) => <span className="font-semibold break-words">{name}</span>}
      />
    ),
  },
  {
    id: 'added',
    label: 'Added',
    minWidth: 136,
    leaves: 1,
    className: 'text-small text-muted',
    cell: ({ addedAt }) => <RelativeTime at={addedAt} />,
  },
  {
    id: 'used',
    label: 'Last used',
    minWidth: 136,
    leaves: 2,
    className: 'text-small text-muted',
    cell: (passkey) => <Used passkey={passkey} />,
    folded: (passkey) => (
      <span className="text-small text-muted">
        last used: <Used passkey={passkey} />
      </span>
    ),
  },
  {
    id: 'remove',
    label: 'Remove',
    labelHidden: true,
    minWidth: 96,
    className: 'text-right',
    cell: ({ id, label }) => (
      <span className="-my-1.5 inline-flex">
        <StartButton
          action={removePasskey}
          target={{ passkeyId: id }}
          label="Remove"
          variant="danger"
          refusal={stays ?? undefined}
          message={() => `The passkey ${label} was removed. Delete it from your device too.`}
          onDone={onRemoved}
        />
      </span>
    ),
  },
]

const Used = ({ passkey: { usedAt } }: { passkey: PasskeyView }) => (usedAt ? <RelativeTime at={usedAt} /> : 'never')

type PasskeysProps = {
  passkeys: readonly PasskeyView[]
  /** Why this portal offers no passkeys; null if it does. */
  absent: string | null
  /** Why the only one may not be removed. */
  stays: string | null
  /** Recovery codes that came with the first second factor. */
  onCodes: (codes: readonly string[]) => void
}

/** A user's passkeys: the way in without a password, or the second factor after one. */
export function Passkeys({ passkeys, absent, stays, onCodes }: PasskeysProps) {
  const router = useRouter()
  const [adding, setAdding] = useState(false)
  const columns = useMemo(() => columnsFor(stays, router.refresh), [router, stays])
  async function create({ options }: PasskeyToAdd): Promise<void> {
    setAdding(true)
    const created = await createPasskey(options)
    const added = created.ok ? await callAction(addPasskey, { created: created.data }) : created
    setAdding(false)
    if (!added.ok) return toast.error(added.problem.sentence)
    toast('The passkey was added.')
    if (added.data.codes.length > 0) onCodes(added.data.codes)
    router.refresh()
  }
  return (
    <Section
      title="Passkeys"
      anchor="passkeys"
      aside={
        absent === null ? (
          <StartButton
            action={startPasskey}
            target={{}}
            label={adding ? 'Waiting for your device…' : 'Add a passkey'}
            variant="outline"
            onDone={(data) => void create(data)}
          />
        ) : null
      }
    >
      {passkeys.length > 0 ? <Table label="Passkeys" columns={columns} rows={passkeys} /> : null}
      {passkeys.length === 0 || absent !== null ? (
        <Card className="p-4 text-muted">
          <p>{absent ?? 'With a passkey you sign in by finger, face or PIN of your device, without a password.'}</p>
        </Card>
      ) : null}
    </Section>
  )
}
