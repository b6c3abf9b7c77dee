/** Tells browsers to compile a page's scripts completely while they arrive, in parallel to the page's own work: decision 014. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Must be the first line. Browsers without support treat it as a comment. */
const hint = '//# allFunctionsCalledOnLoad\n'

/** @param {string} folder of the built scripts */
export function addCompileHints(folder) {
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'))
  if (scripts.length === 0) throw new Error(`There are no scripts in ${folder}.`)
  for (const name of scripts) {
    const file = join(folder, name)
    const text = readFileSync(file, 'utf8')
    if (!text.startsWith(hint)) writeFileSync(file, hint + text)
  }
}
