'use client'

import { HandHelping } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import type { HolderChoice } from '../../../_shared/access/draft'
import { Button } from '../../../_ui/button'
import { LoanDialog } from './loan-dialog'

type LendProps = { connectionId: string; borrowers: readonly HolderChoice[]; labels: readonly string[] }

/** The button and its dialog. */
export function Lend({ connectionId, borrowers, labels }: LendProps) {
  const router = useRouter()
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  const done = () => {
    close()
    router.refresh()
  }
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        <HandHelping aria-hidden size={16} strokeWidth={1.5} />
        Lend
      </Button>
      {open ? <LoanDialog connectionId={connectionId} borrowers={borrowers} labels={labels} onClose={close} onDone={done} /> : null}
    </>
  )
}
