'use client'

import { Button } from '../../_ui/button'
import type { BatchOffers } from './use-batch-offers'

/** In the place of the actions for several, if it could not be read which there are. */
export function UnreadActions({ offers: { mayAt, problem, reading, again } }: { offers: BatchOffers }) {
  if (mayAt !== null || problem === null) return null
  return (
    <>
      <span role="status" className="text-danger">
        The actions could not be read.
      </span>
      <Button onClick={again} disabled={reading}>
        Try again
      </Button>
    </>
  )
}
