/** The application of a site, and its staging copy. */

import * as z from 'zod'
import { extensionFlag, flag, tableNames } from '@/lib/contract/fields'
import {
  flag as flagOf,
  id,
  listOf,
  maybeCatalogue,
  maybeCount,
  maybeText,
  nameOf,
  oneOf,
  optionalListOf,
  text as string,
} from '@/lib/contract/members'
import { operation, subject } from '@/lib/contract/operation'

/** The name is empty for a site without an application. update: a newer version that the app itself can install, empty if there is none. */
const application = z.preprocess(
  (value) => (value === null || value === undefined || (Array.isArray(value) && value.length === 0) ? {} : value),
  z.object({ name: string, version: string, update: maybeText }),
)

const credentials = z.object({ url: z.string(), user: z.string(), password: z.string() }).optional().catch(undefined)

const parts = { files: flag, database: flag, tables: tableNames } as const

/**
 * A table of the live site. pulled: whether the staging copy has it by a pull. changed: whether live has changed since then. partners: tables
 * that have to be chosen with it, because of foreign keys, triggers or views. related: tables whose rows belong to its rows by all that their
 * names say, such as posts and their meta: without them, something may not fit. private: data that belongs to live, such as orders, users
 * and comments of a known app, as a word for people; empty for others.
 */
const stagedTable = z.object({
  name: id,
  bytes: maybeCount,
  rows: maybeCount,
  pulled: flagOf,
  changed: flagOf,
  partners: optionalListOf(string),
  related: optionalListOf(string),
  private: string,
})

/**
 * names, conflicts: paths below the folder public, at most a hundred of each; conflicts changed on the staging copy, too. noted: whether the
 * pull noted its files; one of an earlier version did not, and then files count that only live has or that were written there since.
 */
const liveChanges = z
  .object({ count: z.number().int().nonnegative(), names: optionalListOf(string), conflicts: optionalListOf(string), noted: flagOf })
  .optional()
  .catch(undefined)

const access = z
  .object({ ip: string, user: string, root: string, db_name: string, db_user: string, db_host: string })
  .optional()
  .catch(undefined)

/**
 * domain: of the staging copy, whether or not it exists. exists: whether a pull has made it. user: who signs in to it in a browser.
 * pulled: when the newest pull ended, ISO 8601, empty before the first. files_bytes: size of the files of live.
 * mixed: whether some tables are not InnoDB, so that a copy is not of one moment. live_changes: files that changed on live since the pull, which
 * a push keeps unless it is asked to replace them; absent if unknown. access: who uploads to the copy by SFTP, to which folder, and its database;
 * absent without a copy.
 */
const staging = z.object({
  domain: string,
  exists: flagOf,
  user: string,
  pulled: string,
  files_bytes: maybeCount,
  mixed: flagOf,
  tables: listOf(stagedTable),
  live_changes: liveChanges,
  access,
})

export const apps = subject('apps', {
  get: operation({
    method: 'GET',
    path: '/sites/{site_id}/apps',
    fields: {},
    answer: z.object({ item: oneOf(z.object({ domain: nameOf('site'), app: application, catalogue: maybeCatalogue })) }),
    effect: 'read',
    pace: 'quick',
    description: 'Show the application of a site.',
  }),
  staging: operation({
    method: 'GET',
    path: '/sites/{site_id}/staging',
    fields: {},
    answer: z.object({ item: oneOf(staging) }),
    effect: 'read',
    pace: 'quick',
    description: 'Show the staging copy of a site.',
    extension: true,
  }),
  pull: operation({
    method: 'POST',
    path: '/sites/{site_id}/apps/pull',
    // new_password: of the staging copy, which the answer then names, as it does after the first pull. With neither files nor
    // database nothing is copied.
    fields: { ...parts, new_password: extensionFlag },
    answer: z.object({ credentials }),
    effect: 'change',
    pace: 'slow',
    description: 'Copy the live site to its staging copy.',
  }),
  push: operation({
    method: 'POST',
    path: '/sites/{site_id}/apps/push',
    // replace_live_changes: also files that changed on live since the pull, which are kept otherwise.
    fields: { ...parts, replace_live_changes: extensionFlag },
    // backup: the name of the backup of the live site that was made first.
    answer: z.object({ backup: maybeText }),
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
