/** The address of a channel with its secrets: encrypted on input, decrypted for one message, never returned. */
import 'server-only'
import { SealBroken } from '@/lib/sealing/envelope'
import type { Channel } from '@/prisma/generated/portal/client'
import { bindChannel, type ChannelIdentity } from './binding'
import { openUnderRing, sealUnderRing } from './ring'

/** url: of a webhook, Slack or ntfy. email: of a team's mail channel; a member's own follows their account. secret: signs webhooks. token: of ntfy. */
export type ChannelSecrets = { url?: string; email?: string; secret?: string; token?: string }

export async function sealChannel(
  channel: ChannelIdentity,
  secrets: ChannelSecrets,
): Promise<Pick<Channel, 'kekId'> & { sealed: Uint8Array<ArrayBuffer> }> {
  const plaintext = Buffer.from(JSON.stringify(secrets), 'utf8')
  try {
    return await sealUnderRing(plaintext, bindChannel(channel))
  } finally {
    plaintext.fill(0)
  }
}

/** Null if it cannot be decrypted, as when the row was changed in the database. */
export async function openChannel(channel: ChannelIdentity & Pick<Channel, 'sealed'>): Promise<ChannelSecrets | null> {
  try {
    const plaintext = await openUnderRing(channel.sealed, bindChannel(channel))
    const secrets: ChannelSecrets = JSON.parse(plaintext.toString('utf8'))
    plaintext.fill(0)
    return secrets
  } catch (error) {
    if (error instanceof SealBroken) return null
    throw error
  }
}
