/** A reporter of vitest: what failed outside all tests, which its JSON report does not say. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { outsideLine } from './tally.mjs'

/**
 * @typedef {{ uncaught: string[], hooks: Record<string, string> }} OutsideTests
 * uncaught: the errors that no test or hook caught, a line each. hooks: the message of the first error of a file's hooks, by its path.
 */

const file = 'tests/output/outside-tests.json'

export const forgetOutsideTests = () => rmSync(file, { force: true })

/** @returns {OutsideTests} */
export const readOutsideTests = () => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { uncaught: [], hooks: {} })

export default class {
  /** @param {readonly import('vitest/node').TestModule[]} modules @param {readonly import('vitest/node').SerializedError[]} errors */
  onTestRunEnd(modules, errors) {
    const hooks = modules.flatMap(({ moduleId, children }) => {
      const [first] = [...children.allSuites()].flatMap((suite) => suite.errors())
      return first ? [[moduleId, first.message]] : []
    })
    writeFileSync(file, JSON.stringify({ uncaught: errors.map(outsideLine), hooks: Object.fromEntries(hooks) }))
  }
}
