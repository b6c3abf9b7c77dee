/** Other versions of a release that was made: the same files under another name, some of them changed. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

type Change = (folder: string) => void

type Json = Record<string, unknown>
const edit = (file: string, change: (json: Json) => void) => {
  const json: Json = JSON.parse(readFileSync(file, 'utf8'))
  change(json)
  writeFileSync(file, JSON.stringify(json))
}

function unlinkFromOriginal(file: string): void {
  if (!existsSync(file)) return
  copyFileSync(file, `${file}.copy`)
  renameSync(`${file}.copy`, file)
}

/** They name the version. */
const renamed = ['VERSION', 'release.json', 'package.json']

/**
 * Makes the archive of that version in the release's own parent folder and returns its path.
 * @param release the folder of a whole release
 * @param changed the files, relative to the release, that `change` writes or adds
 * @param described whether the manifest has the hashes of the changed files
 */
export function deriveRelease(release: string, version: string, changed: readonly string[], change: Change, described = true): string {
  const name = `gatehouse-${version}-linux-x64`
  const folder = join(dirname(release), name)
  rmSync(folder, { recursive: true, force: true })
  // Hard links, because most files stay the same. Those that change become copies first.
  execFileSync('cp', ['-al', release, folder])
  for (const file of ['manifest.json', ...renamed, ...changed]) unlinkFromOriginal(join(folder, file))
  writeFileSync(join(folder, 'VERSION'), `${version}\n`)
  for (const file of ['release.json', 'package.json']) {
    edit(join(folder, file), (json) => {
      json.version = version
    })
  }
  change(folder)
  edit(join(folder, 'manifest.json'), (manifest) => {
    manifest.version = version
    for (const file of [...renamed, ...(described ? changed : [])]) {
      ;(manifest.files as Json)[file] = createHash('sha256')
        .update(readFileSync(join(folder, file)))
        .digest('hex')
    }
  })
  const archive = `${folder}.tar.gz`
  execFileSync('tar', ['--use-compress-program', 'gzip -1', '-cf', archive, '-C', dirname(folder), name])
  rmSync(folder, { recursive: true, force: true })
  return archive
}
