/** Tells browsers to compile a page's scripts whole while they arrive, beside the page's own work: decision 014. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Has to be the first line. Browsers that do not know it read a comment. */
const hint = '//# allFunctionsCalledOnLoad\n'

/** @param {string} folder where the built scripts lie */
export function addCompileHints(folder) {
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'))
  if (scripts.length === 0) throw new Error(`There are no scripts in ${folder}.`)
  for (const name of scripts) {
    const file = join(folder, name)
    const text = readFileSync(file, 'utf8')
    if (!text.startsWith(hint)) writeFileSync(file, hint + text)
  }
}
