/** A reporter of vitest: what failed outside all tests, which its JSON report does not say. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

/**
 * @typedef {{ uncaught: number, hooks: Record<string, string> }} OutsideTests
 * uncaught: how many errors belong to no file. hooks: the message of the first error of a file's hooks, by its path.
 */

const file = 'tests/output/outside-tests.json'

export const forgetOutsideTests = () => rmSync(file, { force: true })

/** @returns {OutsideTests} */
export const readOutsideTests = () => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { uncaught: 0, hooks: {} })

export default class {
  /** @param {readonly import('vitest/node').TestModule[]} modules @param {readonly unknown[]} errors */
  onTestRunEnd(modules, errors) {
    const hooks = modules.flatMap(({ moduleId, children }) => {
      const [first] = [...children.allSuites()].flatMap((suite) => suite.errors())
      return first ? [[moduleId, first.message]] : []
    })
    writeFileSync(file, JSON.stringify({ uncaught: errors.length, hooks: Object.fromEntries(hooks) }))
  }
}
