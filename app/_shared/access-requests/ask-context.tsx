'use client'

import { createContext, type ReactNode, useContext } from 'react'
import { EarlyButton } from '../../_ui/early-button'

/** Opens the form, for what is asked for first or, with an empty text, for whatever the page needs; null where there is nothing to ask for. */
type Ask = { open: (what: string) => void; choices: ReadonlySet<string> } | null

const Asks = createContext<Ask>(null)

export const AskContext = ({ value, children }: { value: Ask; children: ReactNode }) => <Asks value={value}>{children}</Asks>

/** For a problem that says that a right is missing. otherwise: what is there if it cannot be asked for. */
export function AskForMissing({ otherwise }: { otherwise: ReactNode }) {
  const ask = useContext(Asks)
  return ask ? <EarlyButton onClick={() => ask.open('')}>Ask for access</EarlyButton> : otherwise
}

/** In the place of a button that is missing. what: a choice's id, such as `apps destroy`. name: what the button would say. */
export function AskInstead({ what, name }: { what: string; name: string }) {
  const ask = useContext(Asks)
  if (!ask?.choices.has(what)) return null
  return (
    <EarlyButton variant="ghost" onClick={() => ask.open(what)}>
      Ask to {name.charAt(0).toLowerCase()}
      {name.slice(1)}
    </EarlyButton>
  )
}
