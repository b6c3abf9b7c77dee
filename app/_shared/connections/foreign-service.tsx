'use client'

import { createContext, type ReactNode, useContext } from 'react'

const Foreign = createContext(true)

type ForeignServiceProps = {
  /** The service announces no extensions. */
  foreign: boolean
  children: ReactNode
}

/** Tells the parts of a server's pages whether they may describe how the service works, or only repeat its answers. */
export const ForeignService = ({ foreign, children }: ForeignServiceProps) => <Foreign value={foreign}>{children}</Foreign>

/** True if it is unknown how the service installs a server, logs in to it or changes it. */
export const useForeign = (): boolean => useContext(Foreign)
