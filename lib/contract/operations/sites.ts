/** Sites: the list, and each site from creation to removal. */

import * as z from 'zod'
import {
  accountPassword,
  domain,
  extensionFlag,
  hstsSeconds,
  memoryLimit,
  phpVersion,
  siteFolder,
  siteMailPerHour,
  siteWaiting,
  siteWorkers,
  text,
  uploadLimit,
  wwwRedirect,
} from '@/lib/contract/fields'
import {
  count,
  dns,
  done,
  flag,
  id,
  idOf,
  listOf,
  maybeCount,
  maybeDns,
  maybeFlag,
  maybeLeftOut,
  maybeNameChecks,
  maybeRecords,
  maybeSiteState,
  maybeText,
  maybeTexts,
  nameOf,
  oneOf,
  partOf,
  text as string,
} from '@/lib/contract/members'
import { operation, subject } from '@/lib/contract/operation'
import { plausibleSite, plausibleSites } from '@/lib/contract/plausible-sizes'

/**
 * staging: the domain of its staging copy, which no list has as a site; empty without one. php: the version that runs it. app: the name of the
 * application that was found in its folder, as people know it; it and app_version are empty for a site without one. aliases: its other domains, in punycode. backup_at: when its newest
 * backup was made, ISO 8601; empty without one, absent while it is unknown.
 */
const listItem = z.object({
  id: idOf('site', 'item'),
  domain: nameOf('site', string),
  server: idOf('server', 'member', string),
  usage: string,
  ip: string,
  mx: string,
  state: maybeSiteState,
  ssl: maybeFlag,
  expires: maybeText,
  staging: maybeText,
  php: maybeText,
  app: maybeText,
  app_version: maybeText,
  aliases: maybeTexts,
  backup_at: maybeText,
})

/**
 * user: who signs in by SFTP, and owns the site's files. root: the folder that is served, as that user sees it. records: while email is on, the
 * record MX, judged as `email.get` does; none if DNS did not answer.
 */
const summary = z.object({
  domain: nameOf('site'),
  disk_usage: string,
  dns,
  server: partOf({ name: nameOf('server', string), ip: string, dns: string }),
  expected: maybeDns,
  records: maybeRecords,
  state: maybeSiteState,
  user: maybeText,
  root: maybeText,
})

/**
 * names: the domain and the aliases. The others are of the certificate, and empty without one: covered names, when it was issued and expires
 * (ISO 8601), and why the newest attempt to renew it failed, as a sentence. It is kept while SSL is off. php: the version that runs the
 * site; php_versions: those to choose from. The limits are in MB, and empty if they are not plain numbers. folder: which is served, below
 * `public`; empty for `public` itself. workers: how many requests PHP works on at the same time; waiting: how many more wait; both empty if they
 * are not plain numbers. mail_per_hour: how many mails the site's programs may send in an hour, empty if that is not limited; mail_held_until: ISO 8601,
 * while they have sent that many and no more is taken, else empty. php_extensions: of that version. www_redirect: whether the name with www leads to the domain. hsts: for how many seconds
 * browsers that came by https insist on it; 0: they do not.
 */
const settings = z.object({
  domain: nameOf('site'),
  ssl: flag,
  names: maybeTexts,
  covered: maybeTexts,
  left_out: maybeLeftOut,
  issued: maybeText,
  expires: maybeText,
  problem: maybeText,
  checks: maybeNameChecks,
  php: maybeText,
  php_versions: maybeTexts,
  upload_limit: maybeText,
  memory_limit: maybeText,
  folder: maybeText,
  workers: maybeText,
  waiting: maybeText,
  mail_per_hour: maybeText,
  mail_held_until: maybeText,
  php_extensions: maybeTexts,
  www_redirect: maybeFlag,
  hsts: maybeText,
})

/**
 * hours: 24, the oldest first, counted on the server; the last is not over yet. client_errors: 4xx, server_errors: 5xx, both among the requests. from:
 * when the first hour began, ISO 8601. whole: whether the log was read that far back. status: how the site answered the server's own request just
 * now, 0 for no answer; first_byte_ms: after how long. Both are absent if the server cannot send such a request.
 */
const traffic = z.object({
  from: string,
  hours: listOf(z.object({ requests: count, client_errors: count, server_errors: count })),
  whole: flag,
  status: maybeCount,
  first_byte_ms: maybeCount,
})

/**
 * Whether a browser may open the link: only http and https, because other schemes can run scripts. Or a reference that is relative to the address
 * of the operation and names no host.
 */
const isWebLink = (text: string): boolean =>
  /^https?:\/\/[^/]/i.test(text) ? URL.canParse(text) : /^(?!\/\/)[!-[\]-~]+$/.test(text) && !/^[^/?#]*:/.test(text)

/** Some services return the id of the created site; otherwise the portal finds it in the list. */
function findNewId(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const items: unknown = Array.isArray(body.items) ? body.items[0] : body.items
  const listed = typeof items === 'object' && items !== null && 'id' in items ? items.id : undefined
  const found = body.id ?? body.site_id ?? listed
  return { ...body, id: typeof found === 'number' ? String(found) : found }
}

export const sites = subject('sites', {
  list: operation({
    method: 'GET',
    path: '/sites',
    fields: {},
    answer: z.object({ items: listOf(listItem) }),
    rearrangeForeign: plausibleSites,
    effect: 'read',
    pace: 'quick',
    description: 'List the sites.',
  }),
  create: operation({
    method: 'POST',
    path: '/sites/create',
    // backup: the last backup of a deleted site, which is restored into the new one. Its domain may be another one.
    fields: {
      domain,
      server: text({ alwaysFrom: 'server.id' }),
      password: accountPassword,
      www: extensionFlag,
      www_redirect: extensionFlag,
      backup: text({ extension: true }),
    },
    answer: z.object({ id: idOf('site', 'target', maybeText) }),
    rearrange: findNewId,
    effect: 'change',
    pace: 'slow',
    description: 'Create a site.',
  }),
  summary: operation({
    method: 'GET',
    path: '/sites/{site_id}/summary',
    fields: {},
    answer: z.object({ item: oneOf(summary) }),
    rearrangeForeign: plausibleSite,
    effect: 'read',
    pace: 'quick',
    description: 'Show a site.',
  }),
  traffic: operation({
    method: 'GET',
    path: '/sites/{site_id}/traffic',
    fields: {},
    answer: z.object({ item: oneOf(traffic) }),
    effect: 'read',
    pace: 'quick',
    description: 'Count the requests and errors of a site in the last 24 hours.',
    extension: true,
  }),
  settings: operation({
    method: 'GET',
    path: '/sites/{site_id}/settings',
    fields: {},
    answer: z.object({ item: oneOf(settings) }),
    effect: 'read',
    pace: 'quick',
    description: 'Show the settings of a site.',
  }),
  configure: operation({
    method: 'POST',
    path: '/sites/{site_id}/configure',
    fields: {
      php: phpVersion,
      upload_limit: uploadLimit,
      memory_limit: memoryLimit,
      folder: siteFolder,
      workers: siteWorkers,
      waiting: siteWaiting,
      www_redirect: wwwRedirect,
      hsts: hstsSeconds,
      mail_per_hour: siteMailPerHour,
    },
    answer: done,
    effect: 'change',
    undoable: true,
    pace: 'slow',
    description: 'Change the settings of a site.',
    extension: true,
  }),
  download: operation({
    method: 'GET',
    path: '/sites/{site_id}/download',
    fields: {},
    // size: of the archive, in bytes. expires: until when the link is good, ISO 8601.
    answer: z.object({ download_url: id.refine(isWebLink), size: maybeCount, expires: maybeText }),
    effect: 'export',
    freshSignIn: true,
    grantedWith: 'backups',
    pace: 'slow',
    description: 'Get a link to an archive of a site.',
  }),
  cancel: operation({
    method: 'POST',
    path: '/sites/{site_id}/cancel',
    fields: {},
    answer: done,
    effect: 'change',
    pace: 'quick',
    description: 'Cancel the work on a site.',
    activity: ['Cancelled', 'Cancel', 'the work on the site'],
    extension: true,
  }),
  delete: operation({
    method: 'GET',
    path: '/sites/{site_id}/delete',
    fields: { without_backup: extensionFlag },
    answer: z.object({ backup: maybeText }),
    effect: 'destroy',
    confirm: 'name',
    pace: 'slow',
    description: 'Delete a site.',
  }),
})
