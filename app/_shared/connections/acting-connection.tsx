'use client'

import { createContext, type ReactNode, useContext } from 'react'

const Acting = createContext<string | null>(null)

type ActingConnectionProps = {
  /** The connection that a server's actions use, if more than one could be used; else null. */
  label: string | null
  children: ReactNode
}

/** Tells the dialogs of a server's pages whose API key acts. */
export const ActingConnection = ({ label, children }: ActingConnectionProps) => <Acting value={label}>{children}</Acting>

/** Shown before something is destroyed, where there is a choice of keys. */
export function ActingNote() {
  const label = useContext(Acting)
  if (label === null) return null
  return (
    <p className="mt-2 text-small text-muted">
      Uses the connection <strong className="font-semibold text-ink">{label}</strong>.
    </p>
  )
}
