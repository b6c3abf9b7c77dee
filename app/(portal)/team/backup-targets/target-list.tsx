'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { Card } from '@/app/_ui/card'
import { EarlyButton } from '@/app/_ui/early-button'
import { EmptyState } from '@/app/_ui/empty-state'
import { Section } from '@/app/_ui/section'
import { toast } from '@/app/_ui/toast'
import type { TargetTested } from '@/lib/portal/subjects/backup-targets/change'
import type { BackupTargetView } from '@/lib/portal/subjects/backup-targets/list'
import { AddTarget, type Keeper } from './add-target'
import { RecoveryKit } from './recovery-kit'
import { RemoveTarget } from './remove-target'
import { RenameTarget } from './rename-target'
import { ReplaceKeys } from './replace-keys'
import { menuIdOf, TargetCard, type TargetDialog } from './target-card'

const dialogs = { kit: RecoveryKit, rename: RenameTarget, keys: ReplaceKeys, remove: RemoveTarget } as const

type TargetListProps = { targets: readonly BackupTargetView[]; keepers: readonly Keeper[] }

/** keepers: for whom the reader may add one. Dialogs are outside the cards, because a removed target has none. */
export function TargetList({ targets, keepers }: TargetListProps) {
  const router = useRouter()
  const [adding, setAdding] = useState(false)
  const [open, setOpen] = useState<{ dialog: TargetDialog; target: BackupTargetView } | null>(null)
  const Dialog = open ? dialogs[open.dialog] : null
  const close = () => {
    setOpen(null)
    // The menu it was opened from is gone, so the focus returns to the button of that menu, if its card still exists.
    requestAnimationFrame(() => document.getElementById(menuIdOf(open?.target.id ?? ''))?.focus())
  }
  const changed = () => {
    close()
    router.refresh()
  }
  const added = ({ label, findings }: TargetTested) => {
    setAdding(false)
    toast(findings.length === 0 ? `${label} passed the test and was added.` : `${label} was added, with warnings.`)
    router.refresh()
  }
  const add = (
    <EarlyButton variant="primary" onClick={() => setAdding(true)}>
      Add target
    </EarlyButton>
  )
  return (
    <Section title="Targets" count={targets.length} aside={keepers.length === 0 ? null : add}>
      {targets.length === 0 ? (
        <Card>
          <EmptyState title="No backup targets">
            <p>
              Add a bucket of S3-compatible storage. Gatehouse tests it with the keys that you enter, and stores it if the test succeeds.
            </p>
            {keepers.length === 0 ? <p>A team owner or admin can add one.</p> : null}
          </EmptyState>
        </Card>
      ) : (
        <ul className="flex flex-col gap-3">
          {targets.map((target) => (
            <TargetCard
              key={target.id}
              target={target}
              onOpen={(dialog) => setOpen({ dialog, target })}
              onChanged={() => router.refresh()}
            />
          ))}
        </ul>
      )}
      {Dialog && open ? <Dialog target={open.target} onClose={close} onDone={changed} /> : null}
      {adding ? <AddTarget keepers={keepers} onClose={() => setAdding(false)} onDone={added} /> : null}
    </Section>
  )
}
