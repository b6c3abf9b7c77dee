import type { ComponentProps } from 'react'
import { Input } from './input'

/** For a key or secret of another service: never shown, and browsers and password managers do not offer to store it. */
export const SecretInput = (rest: ComponentProps<typeof Input>) => (
  <Input
    {...rest}
    code
    type="password"
    required
    autoComplete="off"
    autoCapitalize="off"
    spellCheck={false}
    data-1p-ignore
    data-lpignore="true"
  />
)
