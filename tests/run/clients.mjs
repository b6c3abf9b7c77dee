/** The packages of tests/service/clients/tools. They are many, so that they are installed where they are tested, and on no other machine. */
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { announce } from '../../lib/launcher/announce.mjs'
import { runNpm } from '../../lib/launcher/install.mjs'

const source = 'tests/service/clients/tools'

/** Outside of the tests, whose files are searched by other tests. */
const folder = '.clients'
const stamp = `${folder}/.lock-hash`
const files = ['package.json', 'package-lock.json', 'load.mjs']

const hashFiles = () => files.reduce((hash, file) => hash.update(readFileSync(`${source}/${file}`)), createHash('sha256')).digest('hex')

/** Why they are missing; null when they are there. Installs them if they are not what their lockfile says. */
export async function clientsMissing() {
  const hash = hashFiles()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return null
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  for (const file of files) copyFileSync(`${source}/${file}`, `${folder}/${file}`)
  copyFileSync('.npmrc', `${folder}/.npmrc`)
  try {
    await announce('Installing the test clients', 'Installed the test clients', () => runNpm(folder))
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n').find((line) => line !== '') ?? '') : String(error)
  }
  writeFileSync(stamp, hash)
  return null
}
