/** Gatehouse’s package for servers: the host program, and the scripts of jobs. Packing it needs no Python. */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { readCatalogue } from '../../apps/catalogue'
import { renderTar, type TarFile } from '../../tar'
import { listScriptParts, type PackagedScript } from '../script'
import { siteScripts } from '../sites/job'
import { texts } from '../sites/texts'
import { nightlyFile, nightlyMark } from '../steps/nightly-backup/script'
import { installScript } from '../steps/steps'
import { updateScripts } from '../updates/updates'
import { upgradeScripts } from '../upgrade/upgrade'
import { programFiles } from './program-files'

/** The scripts that begin.bash can run, by name. */
const scripts: readonly PackagedScript[] = [
  ...siteScripts,
  installScript,
  ...upgradeScripts,
  ...updateScripts,
  ...['sites/start', 'sites/prepare-sftp', 'install/start', 'host/check-target', 'host/prune-copies'].map((name) => ({
    name,
    files: [`${name}.bash`],
  })),
]

/** Scripts that a timer or a unit runs on the server, without Gatehouse, by the function that prints them. Their parts are joined, because they run without the package. */
const standalone = {
  content_renewal: 'sites/renew.bash',
  content_take_back: 'sites/take-back.bash',
  content_backup: nightlyFile,
} as const

const textFile = (name: string, text: string): TarFile => ({ name, content: Buffer.from(text) })

/** Each file of bash once, however many scripts use it: a script reads them one after the other, in the order in which it would be joined. */
const parts = new Map(
  [...scripts.flatMap(({ files }) => listScriptParts(files)), ...listScriptParts(Object.values(standalone))].map(({ name, text }) => [
    `bash/${name}`,
    text,
  ]),
)

const runs = scripts.map(({ name, files, before = '', after = '' }) => {
  const reads = listScriptParts(files).map((part) => `. "$package_home/bash/${part.name}"\n`)
  return textFile(
    `run/${name}.bash`,
    `package_home=\${BASH_SOURCE[0]%/run/*}\n. "$package_home/texts.bash"\n${before}${reads.join('')}${after}`,
  )
})

const listPaths = (file: string): string =>
  listScriptParts([file])
    .map(({ name }) => ` \\\n    "$package_home/bash/${name}"`)
    .join('')

/** The functions that print what scripts write onto a server, and the version of the package, which the nightly backup has in it. */
const printers = [
  `print_host_version() { echo "\${package_home##*/}"; }\n`,
  ...Object.keys(texts).map((name) => `${name}() { cat "$package_home/texts/${name}"; }\n`),
  ...Object.entries(standalone).map(([name, file]) => {
    const own = file === nightlyFile ? `  echo '${nightlyMark}'\n  echo "print_host_version() { echo $(print_host_version); }"\n` : ''
    return `${name}() {\n  printf '#!/bin/bash\\n# Put here by Gatehouse.\\n'\n${own}  cat${listPaths(file)}\n}\n`
  }),
]

const files = [
  ...programFiles,
  ...[...parts].map(([name, text]) => textFile(name, text)),
  ...runs,
  textFile('texts.bash', printers.join('')),
  ...readCatalogue().map(({ app, steps }) => textFile(`texts/apps/${app}.php`, steps)),
  ...Object.entries(texts).map(([name, text]) => textFile(`texts/${name}`, text)),
].sort((one, other) => (one.name < other.name ? -1 : 1))

const hashOf = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex')

const hashes = files.map(({ name, content }) => `${hashOf(content)}  ${name}\n`).join('')

/** Names its folder on a server: what the list of its files’ hashes has as hash, cut. */
export const hostVersion = hashOf(hashes).slice(0, 16)

/** Any time, in seconds since 1970: GNU tar warns about files from 1970. */
const changedAt = 946_684_800

let packed: string | undefined

/** What put.bash takes, in base64. Packed once, when a server lacks it. */
export function renderPackage(): string {
  packed ??= gzipSync(renderTar([...files, textFile('SHA256SUMS', hashes)], changedAt), { level: 9 }).toString('base64')
  return packed
}
