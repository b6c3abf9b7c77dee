'use client'

import { useAnnounced } from './announce'

/** The live region of `announce`. It is on the page from the start, because what a region contains when it appears is not always read. */
export const Announcer = () => (
  <p role="status" data-announcer="" className="sr-only">
    {useAnnounced()}
  </p>
)
