/** Makes the copy of a build say nothing that only this building of it knows: Next writes where it was made, and draws keys at random. */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** @param {string} file @param {(text: string) => string} change */
const rewrite = (file, change) => writeFileSync(file, change(readFileSync(file, 'utf8')))

/** Where the build was made says nothing on the machine that runs it. @param {string} folder @param {string} place */
function forgetPlace(folder, place) {
  for (const name of ['required-server-files.json', 'required-server-files.js']) {
    rewrite(join(folder, name), (text) => text.replaceAll(place, '.'))
  }
}

/**
 * The keys of Next's preview mode, which Gatehouse does not have. In an archive they are public, drawn or derived; derived ones are the same in
 * each build.
 * @param {string} folder @param {string} build its path within the project, which names the sources
 */
function derivePreviewKeys(folder, build) {
  /** @type {Record<string, string>} */
  const drawn = JSON.parse(readFileSync(join(folder, 'server/preview-props.json'), 'utf8'))
  for (const name of ['server/preview-props.json', 'prerender-manifest.json']) {
    rewrite(join(folder, name), (text) =>
      Object.entries(drawn).reduce((changed, [key, value]) => changed.replaceAll(value, derive(`${key} of ${build}`, value.length)), text),
    )
  }
}

/** @param {string} text @param {number} length in hexadecimal digits, at most 64 */
const derive = (text, length) => createHash('sha256').update(text).digest('hex').slice(0, length)

/**
 * Changes the copy of a build so that two buildings of the same sources give the same bytes.
 * @param {string} folder the copy @param {string} build the path of the original within the project @param {string} place the project's folder
 */
export function settleBuild(folder, build, place = process.cwd()) {
  forgetPlace(folder, place)
  derivePreviewKeys(folder, build)
}
