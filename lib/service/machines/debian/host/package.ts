/** Gatehouse’s package for servers: the host program, Gatehouse’s folder `host`, which needs no Python here, and the bash that jobs are. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { readCatalogue } from '../../apps/catalogue'
import { renderTar, type TarFile } from '../../tar'
import { listScriptParts, type PackagedScript } from '../script'
import { siteScripts } from '../sites/job'
import { texts } from '../sites/texts'
import { nightlyBackup } from '../steps/nightly-backup/script'
import { installScript } from '../steps/steps'
import { updateScripts } from '../updates/updates'
import { upgradeScripts } from '../upgrade/upgrade'

const root = fileURLToPath(new URL('../../../../../host/', import.meta.url))

/** By the names that begin.bash takes. */
const scripts: readonly PackagedScript[] = [
  ...siteScripts,
  installScript,
  ...upgradeScripts,
  ...updateScripts,
  ...['sites/start', 'sites/prepare-sftp', 'install/start'].map((name) => ({ name, files: [`${name}.bash`] })),
]

const textFile = (name: string, text: string): TarFile => ({ name, content: Buffer.from(text) })

const program = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.py'))
  .map(({ parentPath, name }) => relative(root, join(parentPath, name)))
  .map((name) => ({ name, content: readFileSync(join(root, name)) }))

/** Each file of bash once, however many scripts use it: a script reads them one after the other, in the order in which it would be joined. */
const parts = new Map(scripts.flatMap(({ files }) => listScriptParts(files)).map(({ name, text }) => [`bash/${name}`, text]))

const runs = scripts.map(({ name, files, before = '', after = '' }) => {
  const reads = listScriptParts(files).map((part) => `. "$package_home/bash/${part.name}"\n`)
  return textFile(
    `run/${name}.bash`,
    `package_home=\${BASH_SOURCE[0]%/run/*}\n. "$package_home/texts.bash"\n${before}${reads.join('')}${after}`,
  )
})

/** The functions that print what scripts write onto a server, and the version of the package. */
const printers = [
  ...Object.keys(texts).map((name) => `${name}() { cat "$package_home/texts/${name}"; }\n`),
  `print_host_version() { echo "\${package_home##*/}"; }\n`,
  // It stands alone, so it has the version in it.
  `content_backup() {
  printf '#!/bin/bash\\n# Put here by Gatehouse.\\nprint_host_version() { echo %s; }\\n' "$(print_host_version)"
  cat "$package_home/texts/content_backup"
}\n`,
]

const files = [
  ...program,
  ...[...parts].map(([name, text]) => textFile(name, text)),
  ...runs,
  textFile('texts.bash', printers.join('')),
  ...readCatalogue().map(({ app, steps }) => textFile(`texts/apps/${app}.php`, steps)),
  ...Object.entries({ ...texts, content_backup: nightlyBackup }).map(([name, text]) => textFile(`texts/${name}`, text)),
].sort((one, other) => (one.name < other.name ? -1 : 1))

const hashOf = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex')

const hashes = files.map(({ name, content }) => `${hashOf(content)}  ${name}\n`).join('')

/** Names its folder on a server: what the list of its files’ hashes has as hash, cut. */
export const hostVersion = hashOf(hashes).slice(0, 16)

/** Any, in seconds since 1970: GNU tar remarks on files from before. */
const changedAt = 946_684_800

/** What put.bash takes, in base64. */
export const renderPackage = (): string =>
  gzipSync(renderTar([...files, textFile('SHA256SUMS', hashes)], changedAt), { level: 9 }).toString('base64')
