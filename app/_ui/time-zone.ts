'use client'

import { createContext, useContext } from 'react'

/** The IANA name of the zone that times are printed in; the server prints in the same one. */
export const TimeZoneContext = createContext('UTC')

export const useTimeZone = (): string => useContext(TimeZoneContext)
