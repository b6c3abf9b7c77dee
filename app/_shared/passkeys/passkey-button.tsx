'use client'

import { KeyRound } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '../../_ui/button'
import { useFormState } from '../../_ui/form-state'
import { provePasskey } from './use-passkey'

type PasskeyButtonProps = { label: string; ask: Parameters<typeof provePasskey>[0]; disabled?: boolean; className?: string }

/** Inside a form: asks for a passkey, and sends the form with it in the field `passkey`. */
export function PasskeyButton({ label, ask, disabled = false, className }: PasskeyButtonProps) {
  const { pending, errors } = useFormState()
  const [asking, setAsking] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const refused = failure ?? (asking ? null : errors.passkey)
  async function prove(): Promise<void> {
    setFailure(null)
    setAsking(true)
    const proven = await provePasskey(ask)
    setAsking(false)
    if (!proven.ok) return setFailure(proven.problem.sentence)
    if (!field.current) return
    // It answers one challenge, so it is sent once.
    field.current.value = proven.data
    field.current.form?.requestSubmit()
    field.current.value = ''
  }
  return (
    <div className="flex flex-col gap-1">
      <input ref={field} type="hidden" name="passkey" defaultValue="" />
      <Button onClick={() => void prove()} disabled={disabled || asking || pending} className={className}>
        <KeyRound aria-hidden size={16} strokeWidth={1.5} />
        {asking ? 'Waiting for your passkey…' : label}
      </Button>
      {refused ? (
        <p role="alert" className="text-small text-danger">
          {refused}
        </p>
      ) : null}
    </div>
  )
}
