/** The ways a connection fails, each as the problem a caller of the service learns. */
import { problem } from '@/lib/contract/problem'
import { MachineFailure } from '@/lib/service/machines/machine'
import type { Address } from './host-address'

/**
 * The connection ended while something was under way; the pool turns this into a retry or into outcome_unknown.
 * sent: false when the host has certainly heard nothing of the request.
 */
export class CutConnection extends Error {
  readonly sent: boolean
  constructor({ sent = true, ...options }: ErrorOptions & { sent?: boolean } = {}) {
    super('the connection was cut', options)
    this.name = 'CutConnection'
    this.sent = sent
  }
}

/** The host opened no channel over a connection that is fine: MaxSessions of its sshd_config is a limit for each connection. */
export class ChannelRefused extends Error {
  constructor(options?: ErrorOptions) {
    super('the channel was refused', options)
    this.name = 'ChannelRefused'
  }
}

const socketSentences: Record<string, string> = {
  ECONNREFUSED: 'Nothing listens there: the connection was refused.',
  EHOSTUNREACH: 'There is no route to it.',
  ENETUNREACH: 'There is no route to it.',
  ENOTFOUND: 'That name does not exist in the DNS.',
  EAI_AGAIN: 'The name could not be looked up just now.',
  ETIMEDOUT: 'It did not answer.',
  CLOSED: 'It ended the connection before the login was over.',
}

export function unreachable(address: Address, cause: unknown): MachineFailure {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const why = socketSentences[code] ?? 'It does not answer as an SSH server.'
  const sentence = `The server cannot be reached at ${address.host}, port ${address.port}. ${why}`
  return new MachineFailure(problem('unreachable', { sentence }), { cause })
}

/** hostKey: the fingerprint on show now, not the pinned one. */
export function hostKeyChanged(hostKey: string): MachineFailure {
  return new MachineFailure(problem('host_key_changed', { hostKey }))
}

export function hostKeyUnconfirmed(hostKey: string): MachineFailure {
  return new MachineFailure(problem('host_key_unconfirmed', { hostKey }))
}

export function loginFailed(sentence: string, cause?: unknown): MachineFailure {
  return new MachineFailure(problem('login_failed', { sentence }), { cause })
}

export function loginTooSlow(user: string, afterMs: number): MachineFailure {
  const sentence = `The server did not let ${user} in within ${afterMs / 1000} seconds. Look at what its PAM modules wait for, and at UseDNS in its sshd_config.`
  return new MachineFailure(problem('too_slow', { sentence }))
}

export function withoutTemporaryRoom(): MachineFailure {
  return new MachineFailure(
    problem('internal', { sentence: 'The server has no room for temporary files in /run or /tmp. Free some space there.' }),
  )
}

export function tooSlow(): MachineFailure {
  return new MachineFailure(problem('too_slow'))
}

export function outcomeUnknown(cause: unknown): MachineFailure {
  const sentence = 'The connection to the server broke before it answered. Whether the change was made is not known yet.'
  return new MachineFailure(problem('outcome_unknown', { sentence }), { cause })
}
