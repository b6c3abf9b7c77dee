/** The order of test files: those that are known to take long first, so that none of them is the last, with one worker on it. */
import { relative } from 'node:path'
import { BaseSequencer } from 'vitest/node'
import { longest } from './slow-files.mjs'

/** @typedef {import('vitest/node').TestSpecification} TestSpecification */

/**
 * How far a file stands back in its project, from 0 to 1. Ordered by it, files of several projects are dealt evenly: a host
 * that installs waits for its packages while a browser computes.
 * @param {readonly TestSpecification[]} files @param {TestSpecification} file
 */
function standsBack(files, file) {
  const siblings = files.filter(({ project }) => project.name === file.project.name)
  return siblings.indexOf(file) / siblings.length
}

export class LongFirst extends BaseSequencer {
  /** @override @param {TestSpecification[]} files */
  async sort(files) {
    const usual = await super.sort(files)
    const rankOf = (/** @type {TestSpecification} */ file) => {
      const rank = longest.indexOf(relative(this.ctx.config.root, file.moduleId))
      return rank < 0 ? longest.length + standsBack(usual, file) : rank
    }
    const ranks = new Map(usual.map((file) => [file, rankOf(file)]))
    return [...usual].sort((one, other) => (ranks.get(one) ?? 0) - (ranks.get(other) ?? 0))
  }
}
