'use client'

import { readStored, useStored, writeStored } from './stored'

const name = 'single-keys'

/** Whether single-key shortcuts are on. Users with speech input or tremor may need them off. */
export const areSingleKeysOn = (): boolean => readStored(name) !== 'off'

export const useSingleKeys = (): boolean => useStored(name) !== 'off'

export const setSingleKeys = (on: boolean): void => writeStored(name, on ? 'on' : 'off')
