/** The licenses of the packages in a release. Those of bundled code have no folder of their own there, and most licenses have to come with the code. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const isLicense = (/** @type {string} */ name) => /^(licen[cs]e|copying|notice)/i.test(name) && !/\.[cm]?[jt]s$/.test(name)

/** What Next has compiled into itself, each with the license that it came with. */
const compiled = 'dist/compiled'

/** @param {string} folder @returns {string[]} names */
const licensesIn = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && isLicense(entry.name))
    .map(({ name }) => name)

/** @param {string} folder of Next @returns {string[]} paths within it */
const licensesOfCompiled = (folder) =>
  readdirSync(join(folder, compiled), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isLicense(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))

/**
 * The license files of all production packages that are installed, like the SBOM also of those that only building uses.
 * @returns {Map<string, string>} path in the release, `licenses/zod@4.6.7/LICENSE`, and in the project
 */
export function listLicenses() {
  /** @type {{ packages: Record<string, { name?: string, version: string, dev?: boolean }> }} */
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  /** @type {Map<string, string>} */
  const licenses = new Map()
  for (const [folder, { name = folder.split('node_modules/').at(-1), version, dev }] of Object.entries(packages)) {
    // npm does not install packages for other platforms.
    if (folder === '' || dev || !existsSync(folder)) continue
    const files = [...licensesIn(folder), ...(name === 'next' ? licensesOfCompiled(folder) : [])]
    for (const file of files) licenses.set(join('licenses', `${name}@${version}`, file), join(folder, file))
  }
  return licenses
}
