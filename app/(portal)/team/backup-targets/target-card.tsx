'use client'

import { useState } from 'react'
import { ConfirmDestroy } from '@/app/_shared/dialogs/confirm-destroy'
import { StartButton } from '@/app/_shared/forms/start-button'
import { StepUpField } from '@/app/_shared/session/step-up-field'
import { Card } from '@/app/_ui/card'
import { EarlyButton } from '@/app/_ui/early-button'
import { Notice } from '@/app/_ui/notice'
import { RelativeTime } from '@/app/_ui/relative-time'
import { StateChip } from '@/app/_ui/state-chip'
import { toast } from '@/app/_ui/toast'
import type { BackupTargetView } from '@/lib/portal/subjects/backup-targets/list'
import { removeBackupTarget, testBackupTarget } from './actions'
import { RenameTarget } from './rename-target'
import { ReplaceKeys } from './replace-keys'

type TargetCardProps = { target: BackupTargetView; onChanged: () => void }

/** One target: where it is, what its newest test found, and what the reader may do with it. */
export function TargetCard({ target, onChanged }: TargetCardProps) {
  const { label, address, region, ownerName, problem, findings, checkedAt, frozenAt } = target
  return (
    <li>
      <Card>
        <div className="flex flex-col gap-3 px-4 py-3">
          <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-2">
            <h3 className="min-w-0 font-semibold wrap-anywhere">{label}</h3>
            <StateChip {...stateOf(target)} />
          </div>
          <p className="wrap-anywhere text-muted">
            {address} · {region}
          </p>
          <p className="text-small text-muted">
            {ownerOf(target)} · tested <RelativeTime at={checkedAt} />
          </p>
          {problem === '' ? null : <Notice tone="danger" title={problem} />}
          {findings.map((finding) => (
            <Notice key={finding} tone="warn" title={finding} />
          ))}
          {frozenAt === null ? null : (
            <Notice tone="warn" title={`Frozen when ${ownerName ?? 'you'} left the team or lost the right to keep backup targets.`}>
              {thawOf(target)}
            </Notice>
          )}
          <Buttons target={target} onChanged={onChanged} />
        </div>
      </Card>
    </li>
  )
}

function stateOf({ frozenAt, problem, findings }: BackupTargetView) {
  if (frozenAt !== null) return { tone: 'neutral', label: 'Frozen' } as const
  if (problem !== '') return { tone: 'danger', label: 'Test failed' } as const
  return findings.length === 0
    ? ({ tone: 'ok', label: 'Test passed' } as const)
    : ({ tone: 'warn', label: 'Passed with warnings' } as const)
}

/** How a frozen target is used again. */
function thawOf({ ownerName, changeRefusal }: BackupTargetView): string {
  if (ownerName !== null)
    return 'Gatehouse no longer uses its keys. Its owner can replace them to use it again, once they may. You can remove it.'
  return changeRefusal === null
    ? 'Gatehouse no longer uses its keys. Replace them to use it again.'
    : 'Gatehouse no longer uses its keys. You can replace them once your role allows backup targets of your own.'
}

function ownerOf({ keeper, ownerName }: BackupTargetView): string {
  if (keeper === 'team') return 'Team'
  return ownerName === null ? 'Only you' : `Owned by ${ownerName}`
}

function Buttons({ target, onChanged }: TargetCardProps) {
  const [open, setOpen] = useState<'rename' | 'keys' | 'remove' | null>(null)
  const { id, label, frozenAt, changeRefusal, removeRefusal } = target
  const close = () => setOpen(null)
  const changed = () => {
    close()
    onChanged()
  }
  if (removeRefusal !== null) return null
  return (
    <div className="flex flex-wrap gap-2">
      {changeRefusal !== null ? null : (
        <>
          {frozenAt === null ? (
            <StartButton
              action={testBackupTarget}
              target={{ targetId: id }}
              label="Test"
              variant="outline"
              message={({ problem, findings }) =>
                problem !== '' ? `${label} failed the test.` : `${label} passed the test${findings.length === 0 ? '.' : ', with warnings.'}`
              }
              onDone={onChanged}
            />
          ) : null}
          <EarlyButton onClick={() => setOpen('rename')}>Rename</EarlyButton>
          <EarlyButton onClick={() => setOpen('keys')}>Replace keys</EarlyButton>
        </>
      )}
      <EarlyButton variant="danger" onClick={() => setOpen('remove')}>
        Remove
      </EarlyButton>
      {open === 'rename' ? <RenameTarget target={target} onClose={close} onDone={changed} /> : null}
      {open === 'keys' ? <ReplaceKeys target={target} onClose={close} onDone={changed} /> : null}
      {open === 'remove' ? (
        <ConfirmDestroy
          open
          onOpenChange={close}
          title="Remove backup target"
          description={<p className="wrap-anywhere">{label} and its keys are removed from Gatehouse. Copies that are stored there stay.</p>}
          name={label}
          action={removeBackupTarget}
          target={{ targetId: id }}
          onDone={() => {
            toast(`${label} was removed.`)
            changed()
          }}
        >
          <StepUpField />
        </ConfirmDestroy>
      ) : null}
    </div>
  )
}
