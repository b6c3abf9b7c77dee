/** The mail queue of a real server. */
import { gunzipSync } from 'node:zlib'
import { problem } from '@/lib/contract/problem'
import { MachineFailure, type Mail } from '@/lib/service/machines/machine'
import { messageOf, parseQueue, withoutPostfix } from '@/lib/service/machines/mail-queue'
import type { Connections } from '@/lib/service/ssh/connections'
import type { ExecResult, HostAddress } from '@/lib/service/ssh/host-address'
import { requireDone } from './require-done'
import { readScript } from './script'

const queueScript = readScript('facts/mail-queue.bash')
const deleteScript = readScript('changes/delete-messages.bash')

/** Exit code of both scripts if Postfix is not installed. */
const noPostfix = 69

/** A queue full of spam can be very long; deleting the listed messages reveals the rest. */
const maxMessages = 5000
const maxBytes = 2_000_000

export function createDebianMail(connections: Connections, host: HostAddress): Mail {
  return {
    async list() {
      const result = await connections.read(host, { script: queueScript, values: [String(maxMessages), String(maxBytes)] })
      return parseQueue(unpack(requirePostfix(result, 'read its mail queue'))).map(messageOf)
    },
    async delete(ids) {
      requirePostfix(await connections.change(host, { script: deleteScript, values: ids }), 'delete the messages')
    },
  }
}

function requirePostfix(result: ExecResult, what: string): ExecResult {
  if (result.code === noPostfix) throw new MachineFailure(withoutPostfix)
  return requireDone(result, what)
}

function unpack({ stdout, truncated }: ExecResult): string {
  if (truncated) throw new MachineFailure(problem('internal', { sentence: 'The mail queue of this server is too large to read.' }))
  return gunzipSync(Buffer.from(stdout, 'base64'), { maxOutputLength: 2 * maxBytes }).toString('utf8')
}
