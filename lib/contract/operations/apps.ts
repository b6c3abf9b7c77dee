/** The application of a site, and its staging copy. */

import * as z from 'zod'
import { flag, list } from '@/lib/contract/fields'
import { done, nameOf, oneOf, text as string } from '@/lib/contract/members'
import { operation, subject } from '@/lib/contract/operation'

/** The name is empty for a site without an application. */
const application = z.preprocess(
  (value) => (value === null || value === undefined || (Array.isArray(value) && value.length === 0) ? {} : value),
  z.object({ name: string, version: string }),
)

const credentials = z.object({ url: z.string(), user: z.string(), password: z.string() }).optional().catch(undefined)

const parts = { files: flag, database: flag, tables: list } as const

export const apps = subject('apps', {
  get: operation({
    method: 'GET',
    path: '/sites/{site_id}/apps',
    fields: {},
    answer: z.object({ item: oneOf(z.object({ domain: nameOf('site'), app: application })) }),
    effect: 'read',
    pace: 'quick',
    description: 'Show the application of a site.',
  }),
  pull: operation({
    method: 'POST',
    path: '/sites/{site_id}/apps/pull',
    fields: parts,
    answer: done,
    effect: 'change',
    pace: 'slow',
    description: 'Copy the live site to its staging copy.',
  }),
  push: operation({
    method: 'POST',
    path: '/sites/{site_id}/apps/push',
    fields: parts,
    answer: done,
    effect: 'destroy',
    confirm: 'name',
    pace: 'slow',
    description: 'Replace the live site by its staging copy.',
  }),
  install: operation({
    method: 'GET',
    path: '/sites/{site_id}/install/{app}',
    fields: {},
    answer: z.object({ credentials }),
    effect: 'change',
    pace: 'slow',
    description: 'Install an application.',
  }),
})
