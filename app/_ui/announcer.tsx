'use client'

import { createSharedValue } from './browser-value'

/** The live region of `announce`. It is on the page from the start, because what a region contains when it appears is not always read. */
export const Announcer = () => (
  <p role="status" data-announcer="" className="sr-only">
    {useAnnounced()}
  </p>
)

/** What screen readers read aloud, whatever becomes of the part of the page that says it: an answer may replace that part. */
const said = createSharedValue('')

/** Reads the sentence aloud once the present one is finished. A text that stays the same would not be read again. */
export const announce = (sentence: string): void => said.set(sentence === said.read() ? `${sentence}\u00a0` : sentence)

const useAnnounced = said.useValue
