/** Reads what a browser sends after a passkey was created or used: JSON of known members, each base64url. */
import 'server-only'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { z } from 'zod'

const bytes = z
  .string()
  .max(65_536)
  .regex(/^[A-Za-z0-9_-]*$/)
const credential = { id: bytes.min(1).max(1400), rawId: bytes, type: z.literal('public-key') }
const transports = z.array(z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'])).max(7)

const created = z.object({
  ...credential,
  response: z.object({ clientDataJSON: bytes, attestationObject: bytes, transports: transports.optional().catch(undefined) }),
})

const used = z.object({
  ...credential,
  response: z.object({ clientDataJSON: bytes, authenticatorData: bytes, signature: bytes, userHandle: bytes.optional() }),
})

/** Null if the text is something else. No extension is asked for, so none is read. */
export function readCreated(text: string): RegistrationResponseJSON | null {
  const parsed = created.safeParse(parseJson(text))
  if (!parsed.success) return null
  const { response, ...rest } = parsed.data
  const { transports: named, ...kept } = response
  return { ...rest, response: { ...kept, ...(named && { transports: named }) }, clientExtensionResults: {} }
}

export function readUsed(text: string): AuthenticationResponseJSON | null {
  const parsed = used.safeParse(parseJson(text))
  if (!parsed.success) return null
  const { response, ...rest } = parsed.data
  const { userHandle, ...kept } = response
  return { ...rest, response: { ...kept, ...(userHandle !== undefined && { userHandle }) }, clientExtensionResults: {} }
}

/** The challenge that the browser says was signed; still to be compared. */
export function challengeOf(clientDataJSON: string): unknown {
  const data = parseJson(Buffer.from(clientDataJSON, 'base64url').toString('utf8'))
  return typeof data === 'object' && data !== null && 'challenge' in data ? data.challenge : null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
