'use client'

import { type ComponentProps, useEffect, useRef } from 'react'
import { Button } from './button'
import { toast } from './toast'

/** refusal: why this user may not, or cannot; the button is then shown disabled, and a click says it. */
type OfferedButtonProps = Omit<ComponentProps<typeof Button>, 'onClick'> & { refusal: string | undefined; onClick: () => void }

export const OfferedButton = ({ refusal, onClick, ...rest }: OfferedButtonProps) => (
  <Button
    aria-disabled={refusal !== undefined || undefined}
    title={refusal}
    onClick={() => (refusal === undefined ? onClick() : toast(refusal))}
    {...rest}
  />
)

/** A button that only opens something. What was clicked before its code was there opens as soon as the code is there, once. */
export function EarlyButton(props: ComponentProps<typeof Button>) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const shown = button.current
    const wasClicked = shown?.dataset.early === 'clicked'
    // From here on its own code gets every click.
    shown?.removeAttribute('data-early')
    if (wasClicked) shown?.click()
  }, [])
  return <Button ref={button} data-early="" suppressHydrationWarning {...props} />
}
