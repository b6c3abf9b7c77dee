/** Jobs of sites on a real server: scripts of the package that run there as a systemd unit, started once and followed by any client. */
import { cleanText } from '@/lib/service/clean-text'
import { readCatalogue } from '@/lib/service/machines/apps/catalogue'
import type { CatalogueEntry } from '@/lib/service/machines/apps/entry'
import type { Authority, NameRefusal, SiteJobLine, SiteOnHost, SiteWork } from '@/lib/service/machines/sites'
import { withSentence } from '../host/sentences'
import { parseInstallLine } from '../install/line'
import { type PackagedScript, readScript, readShortScript } from '../script'

export const watchScript = readShortScript('sites/watch.bash')
export const settleScript = readScript('sites/settle.bash')
export const cancelScript = readScript('sites/cancel.bash')
export const forgetScript = readShortScript('sites/forget.bash')
export const claimScript = `set -euo pipefail\n${readScript('sites/claim.bash')}`
export const factsScript = readScript('sites/facts.bash')

const valuesOf = ({ id, name, domain, aliases }: SiteOnHost): string[] => [id, name, domain, aliases.join(' ')]

const yesOrNo = (yes: boolean): string => (yes ? 'yes' : 'no')

/** By the names that jobs/KIND.bash declares. */
type Values = { readonly [name: string]: string }

type Ordering = { authority: Authority; refused: readonly NameRefusal[] }

/** What orders need: where from, and for which names not. host: the name or address by which Gatehouse reaches the server. */
const orders = ({ authority: { directory, roots, contact }, refused }: Ordering, host: string): Values => {
  const lines = refused.map(({ name, reason }) => `${name}\t${cleanText(reason)}\n`)
  return { directory, roots, contact, expected: host, refused: lines.join('') }
}

const builtIn = new Map(readCatalogue().map(({ steps, app }) => [steps, app]))

const appValues = ({ title, source, ...entry }: CatalogueEntry): Values => {
  const name = builtIn.get(entry.steps)
  const from =
    'package' in source
      ? { source: 'packages', origin: source.package, patterns: source.parts.join('\n') }
      : { source: 'archive', origin: source.address, sha256: source.sha256, strip: String(source.strip) }
  return {
    title,
    ...from,
    folders: entry.folders.map(({ from, to }) => `${from}|${to}`).join('\n'),
    left_out: entry.left_out.join('\n'),
    relocated: entry.relocated.join('\n'),
    modules: entry.php.join(' '),
    with_database: yesOrNo(entry.database),
    ...(name === undefined ? { built_in: '', steps: entry.steps } : { built_in: name, steps: '' }),
    directives: entry.directives,
    login: entry.login,
    admin: entry.user ?? '',
  }
}

/** Names of tables are any text, so they go as digits. */
const copyValues = ({ copy: { id, name, domain }, parts }: Extract<SiteWork, { kind: 'pull' | 'push' }>): Values => ({
  copy_id: id,
  copy_name: name,
  copy_domain: domain,
  files: yesOrNo(parts.files),
  database: yesOrNo(parts.database),
  tables: parts.tables.map((table) => Buffer.from(table).toString('hex').toUpperCase()).join(' '),
})

type Own = { readonly [Kind in SiteWork['kind']]: (work: Extract<SiteWork, { kind: Kind }>, host: string) => Values }

/** What each kind of job needs beside its site. */
const own: Own = {
  create: ({ password, databasePassword, owner, wwwRedirect, restored }, host) => ({
    password,
    database_password: databasePassword,
    owner,
    www: yesOrNo(wwwRedirect),
    ...(restored && { wanted: restored.backup, taken: restored.taken.join(' '), ...orders({ ...restored, refused: [] }, host) }),
  }),
  names: (work, host) => ({ later: yesOrNo(work.later), ...orders(work, host) }),
  ssl: (work, host) => ({ on: yesOrNo(work.on), ...orders(work, host) }),
  pull: (work, host) => ({ ...copyValues(work), is_new: yesOrNo(work.isNew), browser_password: work.password, ...orders(work, host) }),
  push: (work) => ({ ...copyValues(work), replace: yesOrNo(work.replace) }),
  settings: ({ settings: { php, uploadMb, memoryMb, folder, workers, waiting, wwwRedirect, hstsSeconds, mailPerHour } }) => ({
    new_php: php,
    new_upload: String(uploadMb),
    new_memory: String(memoryMb),
    new_folder: folder,
    new_workers: workers?.toFixed(0) ?? '',
    new_waiting: waiting?.toFixed(0) ?? '',
    new_www: wwwRedirect === null ? '' : yesOrNo(wwwRedirect),
    new_hsts: hstsSeconds?.toFixed(0) ?? '',
    new_mail: mailPerHour?.toFixed(0) ?? '',
  }),
  app: ({ app, password, databasePassword }) => ({ ...appValues(app), admin_password: password, database_password: databasePassword }),
  email: ({ on }) => ({ on: yesOrNo(on) }),
  backup: () => ({}),
  restore: (work, host) => ({
    wanted: work.backup,
    backup_first: yesOrNo(work.backupFirst),
    taken: work.taken.join(' '),
    ...(work.copy && { copy_target: JSON.stringify(work.copy.target), snapshot: work.copy.snapshot, sha256: work.copy.sha256 }),
    ...orders({ ...work, refused: [] }, host),
  }),
  download: () => ({}),
  copy: ({ of, target }) => ({ copy_of: of, copy_target: JSON.stringify(target) }),
  prove: ({ backup, copy }) => ({ wanted: backup, copy_target: JSON.stringify(copy.target), snapshot: copy.snapshot, sha256: copy.sha256 }),
  delete: ({ backup, owner }) => ({ with_backup: yesOrNo(backup), owner }),
}

/** What run.bash reads: the kind, the site, and NAME=VALUE of what only this kind needs. host: the name or address by which Gatehouse reaches the server. */
export function jobValues<Kind extends SiteWork['kind']>(work: Extract<SiteWork, { kind: Kind }>, host: string): string[] {
  const named = Object.entries(own[work.kind as Kind](work, host)).map(([name, value]) => `${name}=${value}`)
  return [work.kind, ...valuesOf(work.site), ...named]
}

/** The job of each kind, the same for every site. What it does is read from its folder. */
export const siteScripts = Object.keys(own).map(
  (kind): PackagedScript => ({ name: `sites/${kind}`, files: [`sites/jobs/${kind}.bash`], after: `main "\${@:2}"\n` }),
)

const refusals = ['not_installed', 'changed_meanwhile', 'unsuitable', 'cancelled'] as const

/** Never throws. The seventh field is the code of a refusal, `cancelled` or `half_done`, the eighth what the operation answers, the ninth aliases that were added. */
export function parseSiteLine(text: string, line: number): SiteJobLine {
  const [code = '', answer = '', aliases = ''] = text.split('\t').slice(6)
  const problem = refusals.find((known) => known === code)
  const parsed = parseInstallLine(text, line)
  return {
    ...parsed,
    message: withSentence(parsed.message),
    ...(parsed.error !== undefined && { error: withSentence(parsed.error) }),
    ...(problem && { problem }),
    ...(code === 'half_done' && { halfDone: true }),
    ...(answer !== '' && { answer: cleanText(answer) }),
    ...(aliases !== '' && { aliases: cleanText(aliases).split(' ') }),
  }
}
