'use client'

import type { ComponentProps } from 'react'
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
