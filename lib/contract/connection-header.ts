/** How a server is reached, which the answers about cron jobs and system users repeat. */
import { nameOf, text } from '@/lib/contract/members'

export const connectionHeader = { name: nameOf('server', text), dns: text, host: text, ip: text, user: text, port: text }
