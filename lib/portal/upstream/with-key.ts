/** One call with a connection's API key, which is decrypted only for the call. Sent once, with its duration measured. */
import 'server-only'
import { problem } from '@/lib/contract/problem'
import type { EncodedRequest } from '@/lib/contract/request'
import { findFrozen } from '@/lib/portal/access/frozen'
import { observeUpstream } from '@/lib/portal/base/figures'
import { type CallableConnection, withOpenKey } from '@/lib/portal/custody/open-key'
import { type CallOptions, send, type UpstreamReply } from './egress'

/**
 * Calls upstream with a connection's key. Never throws because of an upstream: returns typed failures, and `sent` tells whether the
 * request may have arrived. If the key cannot be decrypted, returns `key_locked` without sending anything.
 */
export async function callWithCredential(
  connection: CallableConnection,
  request: EncodedRequest,
  options: CallOptions,
): Promise<UpstreamReply> {
  const reply = await withOpenKey(connection, async (key) => {
    const began = performance.now()
    try {
      return await send({ credentialId: `${connection.id}.${connection.secretVersion}`, address: connection, key }, request, options)
    } finally {
      observeUpstream((performance.now() - began) / 1000)
    }
  })
  return reply ?? { kind: 'failed', problem: problem('key_locked'), sent: false }
}

/**
 * The same through a connection that is stored: whether it is frozen is read again just before the call, and then nothing is sent. Only
 * testing a key that is about to be stored goes without this.
 */
export async function callStored(connection: CallableConnection, request: EncodedRequest, options: CallOptions): Promise<UpstreamReply> {
  const frozen = await findFrozen(connection.id)
  if (frozen) return { kind: 'failed', problem: frozen, sent: false }
  return callWithCredential(connection, request, options)
}
