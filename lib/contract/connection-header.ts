/** How a server is reached, as the cron job and system user answers repeat it. */
import { nameOf, text } from '@/lib/contract/members'

export const connectionHeader = { name: nameOf('server', text), dns: text, host: text, ip: text, user: text, port: text }
