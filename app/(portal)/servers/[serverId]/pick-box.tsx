'use client'

import { useEffect, useRef } from 'react'
import type { Picked } from './use-picked'

type PickBoxProps = {
  label: string
  /** What it stands for: one thing, or all of a group. */
  ids: readonly string[]
  picked: Picked
}

/** A box that is ticked when all of them are, and half when some are. */
export function PickBox({ label, ids, picked }: PickBoxProps) {
  const box = useRef<HTMLInputElement>(null)
  const count = ids.filter(picked.has).length
  const some = count > 0 && count < ids.length
  useEffect(() => {
    if (box.current) box.current.indeterminate = some
  }, [some])
  return (
    <label className="flex size-10 touch:size-11 cursor-pointer items-center justify-center">
      <input
        ref={box}
        type="checkbox"
        aria-label={label}
        checked={ids.length > 0 && count === ids.length}
        onChange={() => picked.toggle(ids)}
        className="size-4 cursor-pointer accent-accent"
      />
    </label>
  )
}
