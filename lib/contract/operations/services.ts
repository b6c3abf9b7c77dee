/** The services of a server that are in a closed list: web servers, PHP, databases, mail, cron and others. */

import * as z from 'zod'
import { serviceUnit } from '@/lib/contract/fields'
import { done, flag, id, listOf, maybeCount, maybeText, text as string } from '@/lib/contract/members'
import { operation, subject } from '@/lib/contract/operation'

/**
 * unit: as systemd calls it; gatehouse-phpVERSION@*.service stands for PHP of all sites of that version. name: for users. state: running, starting,
 * stopped or failed. since: when it got into that state, ISO 8601. running, all: of a service of several units, how many of them run. restarts:
 * whether `services.restart` takes it.
 */
const service = z.object({
  unit: id,
  name: string,
  state: string,
  since: maybeText,
  running: maybeCount,
  all: maybeCount,
  restarts: flag,
})

export const services = subject('services', {
  list: operation({
    method: 'GET',
    path: '/servers/{server_id}/services',
    fields: {},
    answer: z.object({ items: listOf(service) }),
    effect: 'read',
    pace: 'quick',
    description: 'List the services of a server.',
    extension: true,
  }),
  restart: operation({
    method: 'POST',
    path: '/servers/{server_id}/services/restart',
    fields: { unit: serviceUnit },
    answer: done,
    effect: 'change',
    pace: 'quick',
    description: 'Restart a service of a server.',
    extension: true,
  }),
})
