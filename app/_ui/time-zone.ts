'use client'

import { createContext, useContext } from 'react'

/** The IANA name of the zone for all times; the server uses the same one. */
export const TimeZoneContext = createContext('UTC')

export const useTimeZone = (): string => useContext(TimeZoneContext)
