'use client'

import { KeyRound } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { Button } from '../../_ui/button'
import { AccessDialog } from './access-dialog'
import type { AccessPlace, HolderChoice } from './draft'

type AddAccessProps = { holders: readonly HolderChoice[]; place?: AccessPlace; labels: readonly string[] }

/** The button and its dialog. */
export function AddAccess({ holders, place, labels }: AddAccessProps) {
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
        <KeyRound aria-hidden size={16} strokeWidth={1.5} />
        Add access
      </Button>
      {open ? <AccessDialog holders={holders} {...(place && { place })} labels={labels} onClose={close} onDone={done} /> : null}
    </>
  )
}
