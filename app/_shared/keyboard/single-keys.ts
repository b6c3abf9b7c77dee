'use client'

import { readStored, useStored, writeStored } from './stored'

const name = 'single-keys'

/** Whether shortcuts of plain letters and signs are on. Speech input and shaky hands may need them off. */
export const areSingleKeysOn = (): boolean => readStored(name) !== 'off'

export const useSingleKeys = (): boolean => useStored(name) !== 'off'

export const setSingleKeys = (on: boolean): void => writeStored(name, on ? 'on' : 'off')
