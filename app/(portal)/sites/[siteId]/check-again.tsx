'use client'

import { useEffect, useState } from 'react'
import type { ReadState } from '@/app/_shared/reads/use-read'
import { Button } from '@/app/_ui/button'

/** Repeats the read. Not disabled meanwhile, because that would lose the focus; reads that nobody asked for leave it as it is. */
export function CheckAgain({ read: { reading, again } }: { read: ReadState<unknown> }) {
  const [asked, setAsked] = useState(false)
  useEffect(() => {
    if (!reading) setAsked(false)
  }, [reading])
  return (
    <Button
      onClick={() => {
        setAsked(true)
        again()
      }}
    >
      {asked ? 'Checking…' : 'Check again'}
    </Button>
  )
}
