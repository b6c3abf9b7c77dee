/** The address of a channel with its secrets: encrypted on input, decrypted for one message, never returned. */
import 'server-only'
import type { Channel } from '@/prisma/generated/portal/client'
import { bindChannel, type ChannelIdentity } from './binding'
import { openJson, type SealedJson, sealJson } from './sealed-json'

/** url: of a webhook, Slack or ntfy. email: of a team's mail channel; a member's own follows their account. secret: signs webhooks. token: of ntfy. */
export type ChannelSecrets = { url?: string; email?: string; secret?: string; token?: string }

export const sealChannel = (channel: ChannelIdentity, secrets: ChannelSecrets): Promise<SealedJson> =>
  sealJson(secrets, bindChannel(channel))

/** Null if it cannot be decrypted, as when the row was changed in the database. */
export const openChannel = (channel: ChannelIdentity & Pick<Channel, 'sealed'>): Promise<ChannelSecrets | null> =>
  openJson(channel.sealed, bindChannel(channel))
