/** Jobs of sites on a real server: scripts that run there as a systemd unit, started once and followed by any client. */
import { cleanText } from '@/lib/service/clean-text'
import type { CatalogueEntry } from '@/lib/service/machines/apps/entry'
import type { Authority, NameRefusal, SiteJobLine, SiteOnHost, SiteWork } from '@/lib/service/machines/sites'
import { parseInstallLine } from '../install/line'
import { printing, readProgram, readScript } from '../script'

const parts = (...names: string[]) => readScript(import.meta.url, ...names.map((name) => `${name}.bash`))

/** The script that a timer runs on the server. It works without Gatehouse. */
const renewal = `#!/bin/bash
# Put here by Gatehouse.
${parts('site', 'apache', 'php-settings', 'staging/copy', 'file-server', 'web', 'reach', 'certificate', 'mail', 'renew')}`

const steps = ['tell', 'manifest', 'files', 'units', 'listeners', 'web', 'database', 'mail', 'apt'].map((name) => `../steps/${name}`)
const guarding = ['../changes/room', '../changes/replace-file', '../changes/firewall-guard', '../facts/read-crontab']
const changes = [
  'site',
  'confine',
  'site-cron',
  'apache',
  'check',
  'files',
  'php-settings',
  'php',
  'load-errors',
  'file-server',
  'logins',
  'routines',
  'database',
  'web',
  'reach',
  'closed-ports',
  'certificate',
  'other-names',
  'mail',
  'forwards',
  'mail-programs',
  'mail-server',
  'sftp-keys',
  'guesses',
  'mail-limits',
  'senders',
  'mail-ports',
  'app-login',
  'check-data',
  'staging/copy',
  'staging/tables',
  'staging/live-changes',
  'staging/transfer',
  'exchange',
]

/** What makes a backup of a site; the nightly backup of a server has it too. */
const backing = ['backup-files', 'scratch', 'check-archive', 'make-backup', 'replaced']

const rewriting = ['names', 'addresses', 'table', 'tables', 'defines', 'configuration', 'rewrite'].map((name) => `staging/${name}.php`)

const restoring = ['swap-database', 'pause', 'as-before', 'restore', 'revive', 'download']

const kinds: readonly SiteWork['kind'][] = [
  'create',
  'names',
  'ssl',
  'settings',
  'app',
  'email',
  'backup',
  'restore',
  'download',
  'pull',
  'push',
  'delete',
]

/** What jobs of sites are made of; bringing a server up to date takes the same. */
export const siteScripts = [
  parts(...steps, ...guarding, '../facts/web-ports', '../facts/site-needs', ...changes),
  printing('content_renewal', renewal),
  printing('content_rewriting', `<?php\n${readProgram(import.meta.url, ...rewriting)}`),
  printing('content_login', readProgram(import.meta.url, 'app-login.php')),
  parts('put-renewal', 'ssl', 'settings', 'apps', 'remove', ...backing, ...restoring),
].join('\n')

/** The job, the same constant text for every site. What it does is read from its folder. */
export const siteJob = [siteScripts, parts(...kinds.map((kind) => `jobs/${kind}`), 'turns', 'run')].join('\n')

const withFiles = (...names: string[]) => readScript(import.meta.url, '../unit-is-running.bash', 'job-files.bash', ...names)

export const startScript = withFiles('../changes/room.bash', 'start.bash')
export const watchScript = withFiles('watch.bash')
export const settleScript = withFiles('settle.bash')
export const cancelScript = withFiles('cancel.bash')
export const forgetScript = withFiles('forget.bash')
export const claimScript = `set -euo pipefail\n${parts('site', 'claim')}`
export const factsScript = parts('site', 'apache', 'certificate', 'php-settings', 'facts')

const valuesOf = ({ id, name, domain, aliases }: SiteOnHost): string[] => [id, name, domain, aliases.join(' ')]

const yesOrNo = (yes: boolean): string => (yes ? 'yes' : 'no')

type Ordering = { authority: Authority; refused: readonly NameRefusal[] }

/** What orders need: where from, and for which names not. host: the name or address by which Gatehouse reaches the server. */
const orders = ({ authority: { directory, roots, contact }, refused }: Ordering, host: string): string[] => {
  const lines = refused.map(({ name, reason }) => `${name}\t${cleanText(reason)}\n`)
  return [directory, roots, contact, host, lines.join('')]
}

/** What jobs/app.bash takes of an entry of the catalogue. */
const appOf = ({ app, title, source, ...entry }: CatalogueEntry): string[] => {
  const from =
    'package' in source
      ? ['packages', source.package, source.parts.join(' '), '0']
      : ['archive', source.address, source.sha256, String(source.strip)]
  const folders = entry.folders.map(({ from, to }) => `${from}|${to}`)
  return [
    app,
    title,
    ...from,
    folders.join('\n'),
    entry.left_out.join('\n'),
    entry.relocated.join('\n'),
    entry.php.join(' '),
    yesOrNo(entry.database),
    entry.steps,
    entry.directives,
    entry.login,
    entry.user ?? '',
  ]
}

/** Names of tables are any text, so they go as digits. */
const copyValues = ({ copy: { id, name, domain }, parts }: Extract<SiteWork, { kind: 'pull' | 'push' }>): string[] => {
  const tables = parts.tables.map((table) => Buffer.from(table).toString('hex').toUpperCase()).join(' ')
  return [id, name, domain, yesOrNo(parts.files), yesOrNo(parts.database), tables]
}

type Own = { readonly [Kind in SiteWork['kind']]: (work: Extract<SiteWork, { kind: Kind }>, host: string) => string[] }

/** The values of each kind of job, in the order in which its jobs/KIND.bash takes them. */
const own: Own = {
  create: ({ password, databasePassword, owner, wwwRedirect, restored }, host) => [
    password,
    databasePassword,
    owner,
    yesOrNo(wwwRedirect),
    ...(restored ? [restored.backup, restored.taken.join(' '), ...orders({ ...restored, refused: [] }, host)] : []),
  ],
  names: (work, host) => [yesOrNo(work.later), ...orders(work, host)],
  ssl: (work, host) => [yesOrNo(work.on), ...orders(work, host)],
  pull: (work, host) => [...copyValues(work), yesOrNo(work.isNew), work.password, ...orders(work, host)],
  push: (work) => [...copyValues(work), yesOrNo(work.replace)],
  settings: ({ settings: { php, uploadMb, memoryMb, folder, workers, waiting, wwwRedirect, hstsSeconds, mailPerHour } }) => [
    php,
    String(uploadMb),
    String(memoryMb),
    folder,
    workers?.toFixed(0) ?? '',
    waiting?.toFixed(0) ?? '',
    wwwRedirect === null ? '' : yesOrNo(wwwRedirect),
    hstsSeconds?.toFixed(0) ?? '',
    mailPerHour?.toFixed(0) ?? '',
  ],
  app: ({ app, password, databasePassword }) => [...appOf(app), password, databasePassword],
  email: ({ on }) => [yesOrNo(on)],
  backup: () => [],
  restore: (work, host) => [work.backup, yesOrNo(work.backupFirst), work.taken.join(' '), ...orders({ ...work, refused: [] }, host)],
  download: () => [],
  delete: ({ backup, owner }) => [yesOrNo(backup), owner],
}

/** What run.bash reads: the kind, the site, and what only this kind needs. host: the name or address by which Gatehouse reaches the server. */
export function jobValues<Kind extends SiteWork['kind']>(work: Extract<SiteWork, { kind: Kind }>, host: string): string[] {
  return [work.kind, ...valuesOf(work.site), ...own[work.kind as Kind](work, host)]
}

const refusals = ['not_installed', 'changed_meanwhile', 'unsuitable', 'cancelled'] as const

/** Never throws. The seventh field is the code of a refusal, `cancelled` or `half_done`, the eighth what the operation answers, the ninth aliases that were added. */
export function parseSiteLine(text: string, line: number): SiteJobLine {
  const [code = '', answer = '', aliases = ''] = text.split('\t').slice(6)
  const problem = refusals.find((known) => known === code)
  return {
    ...parseInstallLine(text, line),
    ...(problem && { problem }),
    ...(code === 'half_done' && { halfDone: true }),
    ...(answer !== '' && { answer: cleanText(answer) }),
    ...(aliases !== '' && { aliases: cleanText(aliases).split(' ') }),
  }
}
