/** The ways a connection can fail, each as the problem that the service answers. */
import { problem } from '@/lib/contract/problem'
import { MachineFailure } from '@/lib/service/machines/machine'
import type { Address } from './host-address'

/**
 * The connection was lost while work was running; the pool turns this into a retry or into outcome_unknown. sent: false if the server
 * certainly did not receive the request.
 */
export class CutConnection extends Error {
  readonly sent: boolean
  constructor({ sent = true, ...options }: ErrorOptions & { sent?: boolean } = {}) {
    super('the connection was cut', options)
    this.name = 'CutConnection'
    this.sent = sent
  }
}

/** The server refused a channel on a working connection: MaxSessions in its sshd_config limits the channels of each connection. */
export class ChannelRefused extends Error {
  constructor(options?: ErrorOptions) {
    super('the channel was refused', options)
    this.name = 'ChannelRefused'
  }
}

const socketSentences: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused: nothing listens on that port, or a firewall rejects it.',
  EHOSTUNREACH: 'There is no route to the server.',
  ENETUNREACH: 'There is no route to the server.',
  ENOTFOUND: 'The host name does not exist in DNS.',
  EAI_AGAIN: 'The host name could not be resolved.',
  ETIMEDOUT: 'It didn’t respond.',
  CLOSED: 'It closed the connection during login.',
}

export function unreachable(address: Address, cause: unknown): MachineFailure {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const why = socketSentences[code] ?? 'It does not respond as an SSH server.'
  const sentence = `The server cannot be reached at ${address.host}, port ${address.port}. ${why}`
  return new MachineFailure(problem('unreachable', { sentence }), { cause })
}

/** hostKey: the presented fingerprint, not the pinned one. */
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
  const sentence = `The server did not complete the login of ${user} within ${afterMs / 1000} seconds. Check what its PAM modules wait for, and UseDNS in its sshd_config.`
  return new MachineFailure(problem('too_slow', { sentence }))
}

export function withoutTemporaryRoom(): MachineFailure {
  return new MachineFailure(
    problem('internal', { sentence: 'The server has no space for temporary files in /run or /tmp. Free some space there.' }),
  )
}

export function tooSlow(): MachineFailure {
  return new MachineFailure(problem('too_slow'))
}

export function outcomeUnknown(cause: unknown): MachineFailure {
  const sentence = 'The connection to the server broke before it responded. It is not known yet whether the change was made.'
  return new MachineFailure(problem('outcome_unknown', { sentence }), { cause })
}
