/** A reporter of vitest: how many errors happened outside all tests, which its JSON report does not say. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

const file = 'tests/output/uncaught'

export const forgetUncaught = () => rmSync(file, { force: true })
export const countUncaught = () => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0)

export default class Uncaught {
  /** @param {unknown} _modules @param {readonly unknown[]} errors */
  onTestRunEnd(_modules, errors) {
    writeFileSync(file, String(errors.length))
  }
}
