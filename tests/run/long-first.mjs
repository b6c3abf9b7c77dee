/** The order of test files: those that are known to take long first, so that none of them is the last, with one worker on it. */
import { relative } from 'node:path'
import { BaseSequencer } from 'vitest/node'
import { longest } from './slow-files.mjs'

/** @typedef {import('vitest/node').TestSpecification} TestSpecification */

/**
 * The place of each file among those of its folder of `tests`, from 0 to 1. Sorted by it, files of several folders alternate: a
 * host that installs waits for its packages while a browser computes.
 * @param {readonly string[]} paths relative to the root
 */
function placesInFolders(paths) {
  /** @type {Map<string | undefined, string[]>} */
  const folders = new Map()
  for (const path of paths) folders.set(path.split('/')[1], [...(folders.get(path.split('/')[1]) ?? []), path])
  return new Map([...folders.values()].flatMap((folder) => folder.map((path, place) => [path, place / folder.length])))
}

export class LongFirst extends BaseSequencer {
  /** @override @param {TestSpecification[]} files */
  async sort(files) {
    const usual = await super.sort(files)
    const pathOf = (/** @type {TestSpecification} */ file) => relative(this.ctx.config.root, file.moduleId)
    const places = placesInFolders(usual.map(pathOf))
    const rankOf = (/** @type {TestSpecification} */ file) => {
      const rank = longest.indexOf(pathOf(file))
      return rank < 0 ? longest.length + (places.get(pathOf(file)) ?? 0) : rank
    }
    const ranks = new Map(usual.map((file) => [file, rankOf(file)]))
    return [...usual].sort((one, other) => (ranks.get(one) ?? 0) - (ranks.get(other) ?? 0))
  }
}
