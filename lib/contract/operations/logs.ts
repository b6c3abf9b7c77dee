/** Logs of a server, and of a site. */

import * as z from 'zod'
import { logName, siteLogName } from '@/lib/contract/fields'
import { isJsonObject } from '@/lib/contract/json'
import { harmlessLog } from '@/lib/contract/log-text'
import { optionalListOf, text as string } from '@/lib/contract/members'
import { operation, subject } from '@/lib/contract/operation'

/** The interface does not name the member: services use one of these, for a text or for lines. */
const contentNames = ['content', 'log', 'data', 'lines'] as const

/** An object may hold what the answer lacks, so that it is not an empty log. */
const mayHold = (body: Readonly<Record<string, unknown>>): boolean => Object.values(body).some(isJsonObject)

function findContent(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const name = contentNames.find((candidate) => body[candidate] !== undefined && body[candidate] !== null)
  const found = name === undefined ? undefined : body[name]
  const content = Array.isArray(found) ? found.map(String).join('\n') : found
  if (content === undefined && mayHold(body)) return { ...body, content: {} }
  return { ...body, content: typeof content === 'string' ? harmlessLog(content) : content }
}

export const logs = subject('logs', {
  fetch: operation({
    method: 'POST',
    path: '/servers/{server_id}/fetchlog',
    fields: { log: logName },
    answer: z.object({ content: string, logs: optionalListOf(string) }),
    rearrange: findContent,
    effect: 'read',
    audit: 'followed',
    pace: 'quick',
    description: 'Read a log of a server.',
  }),
  fetchSite: operation({
    method: 'POST',
    path: '/sites/{site_id}/fetchlog',
    fields: { log: siteLogName },
    answer: z.object({ content: string, logs: optionalListOf(string) }),
    rearrange: findContent,
    effect: 'read',
    audit: 'followed',
    pace: 'quick',
    description: 'Read a log of a site.',
    extension: true,
  }),
})
