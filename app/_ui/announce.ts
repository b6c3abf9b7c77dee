'use client'

import { createSharedValue } from './shared-value'

/** What screen readers read aloud, whatever becomes of the part of the page that says it: an answer may replace that part. */
const said = createSharedValue('')

/** Reads the sentence aloud once the present one is finished. A text that stays the same would not be read again. */
export const announce = (sentence: string): void => said.set(sentence === said.read() ? `${sentence}\u00a0` : sentence)

export const useAnnounced = said.useValue
