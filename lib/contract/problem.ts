/** The closed list of problems, each with its HTTP status and a default sentence. */

type ProblemKind = { status: number; sentence: string }

export const problemKinds = {
  // Sent by services that use the interface's codes.
  unauthorized: { status: 401, sentence: 'The API key is missing, wrong or revoked.' },
  not_found: { status: 404, sentence: 'No resource has this id.' },
  no_install: { status: 404, sentence: 'This server has no installation to follow.' },
  method_not_allowed: { status: 405, sentence: 'This address does not support that method.' },
  changed_meanwhile: { status: 409, sentence: 'Someone changed this in the meantime. Reload and check before you try again.' },
  busy: { status: 409, sentence: 'Another operation is running on this server. Wait until it ends.' },
  cancelled: { status: 409, sentence: 'The work was cancelled.' },
  rebooting: { status: 409, sentence: 'The server is rebooting. Wait a minute or two.' },
  unsuitable: { status: 409, sentence: 'The server is not set up in a way that allows this.' },
  not_installed: { status: 409, sentence: 'The server must be installed first.' },
  adoption_unconfirmed: { status: 409, sentence: 'The server has sites of this account already. Confirm that they come back with it.' },
  already_registered: { status: 409, sentence: 'This server is already registered.' },
  too_large: { status: 413, sentence: 'The request is too large.' },
  unsupported_encoding: { status: 415, sentence: 'Send the request without a Content-Encoding.' },
  invalid: { status: 422, sentence: 'A field is missing or invalid.' },
  ambiguous: { status: 422, sentence: 'The fields match two operations, or none. Nothing was done.' },
  host_locked: { status: 423, sentence: 'The server is busy installing packages. Try again in a few minutes.' },
  host_key_changed: { status: 424, sentence: 'The server’s host key has changed. Nothing was sent to it.' },
  host_key_unconfirmed: { status: 424, sentence: 'Compare the host key’s fingerprint and confirm it.' },
  login_failed: { status: 424, sentence: 'The server refused the login.' },
  not_built: { status: 501, sentence: 'This service does not offer that operation yet.' },
  unreachable: { status: 502, sentence: 'The server is unreachable at that address and port.' },
  too_slow: { status: 504, sentence: 'The server didn’t respond in time.' },
  internal: { status: 500, sentence: 'Something went wrong in the service.' },
  // Either side reports this if a request was sent and no answer tells the outcome. Whoever knows the cause says it.
  outcome_unknown: { status: 502, sentence: 'It is not known yet whether the change was made.' },
  // The portal's findings about an upstream service.
  upstream_unreachable: { status: 502, sentence: 'The service is unreachable.' },
  upstream_insecure: { status: 502, sentence: 'The identity of the service could not be verified.' },
  upstream_too_slow: { status: 504, sentence: 'The service didn’t respond in time.' },
  upstream_not_understood: { status: 502, sentence: 'The service returned an unreadable response.' },
  upstream_failed: { status: 502, sentence: 'The service could not do this.' },
  upstream_redirected: { status: 502, sentence: 'The service redirected to another address. Gatehouse did not follow it.' },
  upstream_too_large: { status: 502, sentence: 'The response of the service is too large.' },
  upstream_rate_limited: { status: 429, sentence: 'The service is rate-limiting requests. Wait a few minutes, then try again.' },
  operation_refused: { status: 502, sentence: 'The service refuses this.' },
  key_rejected: { status: 502, sentence: 'The service no longer accepts the API key of this connection.' },
  // The portal's own refusals.
  signed_out: { status: 401, sentence: 'Sign in again to continue.' },
  forbidden: { status: 403, sentence: 'Your role does not allow this.' },
  cross_origin: { status: 403, sentence: 'The request did not come from this portal. Nothing was done.' },
  host_rewritten: {
    status: 421,
    sentence:
      'The proxy in front of Gatehouse changes the Host header, so nothing was done. An administrator has to make it pass Host on unchanged.',
  },
  address_refused: { status: 422, sentence: 'This address is not allowed for a connection.' },
  key_locked: { status: 409, sentence: 'The API key of this connection cannot be decrypted. Replace the key.' },
  key_frozen: { status: 409, sentence: 'This connection is frozen. Gatehouse makes no calls with it until it is thawed.' },
  no_connection: { status: 409, sentence: 'No working connection for this. Add a connection first.' },
  // Not a failure: the request is held, and `heldId` names it.
  needs_approval: { status: 409, sentence: 'Waits for a second person. Nothing was done yet.' },
  too_many: { status: 429, sentence: 'Too many attempts. Wait a little.' },
} as const satisfies Record<string, ProblemKind>

export type ProblemCode = keyof typeof problemKinds

/**
 * The codes that a service may send. The others are reserved for the portal and ignored if a service sends them, for
 * example `signed_out`.
 */
export const serviceCodes: ReadonlySet<ProblemCode> = new Set([
  'unauthorized',
  'not_found',
  'no_install',
  'method_not_allowed',
  'changed_meanwhile',
  'busy',
  'cancelled',
  'rebooting',
  'unsuitable',
  'not_installed',
  'adoption_unconfirmed',
  'already_registered',
  'too_large',
  'unsupported_encoding',
  'invalid',
  'ambiguous',
  'host_locked',
  'host_key_changed',
  'host_key_unconfirmed',
  'login_failed',
  'not_built',
  'unreachable',
  'too_slow',
  'internal',
  'outcome_unknown',
])

/** A failure as the caller receives it. Never contains a raw body, a command or a secret. */
export type Problem = {
  code: ProblemCode
  /** For display: what failed and, if known, what to do. */
  sentence: string
  /** Why single fields were refused, by field name. */
  fields?: Record<string, string>
  /** The presented fingerprint, SHA256:…, for host_key_unconfirmed and host_key_changed. */
  hostKey?: string
  /** The request that waits for a second person, for needs_approval. */
  heldId?: string
  /** Seconds to wait, if the service specified them. */
  retryAfterSeconds?: number
}

/** A list was too long; only `shown` items were read. */
export type Cut = { shown: number; total: number }

/** cut: the one list of the answer that was truncated. unreadable: how many items of its lists could not be read and were left out. */
export type Outcome<T> = { ok: true; data: T; cut?: Cut; unreadable?: number } | { ok: false; problem: Problem }

/** A problem with the code's default sentence unless another is given. */
export function problem(code: ProblemCode, more: Partial<Omit<Problem, 'code'>> = {}): Problem {
  return { code, sentence: problemKinds[code].sentence, ...more }
}

/** For a line without fields: why the first of them was refused, or the sentence. */
export const reasonOf = ({ fields = {}, sentence }: Problem): string => Object.values(fields)[0] ?? sentence

/** Distinguishes a problem from any other result. */
export function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'code' in value && isProblemCode(value.code) && 'sentence' in value
}

export function isProblemCode(value: unknown): value is ProblemCode {
  return typeof value === 'string' && Object.hasOwn(problemKinds, value)
}
