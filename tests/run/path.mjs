/** PATH as it is on a Debian with nothing but Node, npm and git, and what the tests install: a missing step shows on every machine. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { basename, delimiter, join, resolve } from 'node:path'
import { packages } from './packages.mjs'

/** What a machine has to have before its first `npm test`; Node is the one that runs. */
const given = ['npm', 'npx', 'git']

const isProgram = (/** @type {string} */ path) => /^(\/usr)?\/s?bin\/[^/]+$/.test(path)

/**
 * Fills a folder with links to the programs that tests may use, and makes it this process's PATH. Answers false, and leaves
 * PATH as it is, where this is no Debian.
 * @param {string} folder
 */
export function cutPath(folder) {
  const base = basePrograms()
  if (base.length === 0) return false
  const brought = Object.values(packages).flatMap((wanted) => wanted.map(([file]) => file).filter(isProgram))
  const programs = new Map([...base, ...brought, ...given.flatMap(findProgram)].map((path) => [basename(path), path]))
  programs.set('node', process.execPath)
  for (const [name, path] of alternatives(new Set(programs.values()))) programs.set(name, path)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  // A link to what is installed later leads nowhere until then, and is passed over.
  for (const [name, path] of programs) symlinkSync(path, join(folder, name))
  process.env.PATH = resolve(folder)
  return true
}

/** The programs of the packages that no Debian is without. Some releases do not count apt among the required ones. */
function basePrograms() {
  const listed = lines('dpkg-query', ['-W', '-f', `\${Essential} \${Priority} \${Package}\\n`])
  const names = listed.filter((line) => /^yes | required | apt$/.test(line)).map((line) => line.split(' ').at(-1) ?? '')
  return names.length === 0 ? [] : lines('dpkg', ['-L', ...names]).filter((path) => isProgram(path) && existsSync(path))
}

/** Names such as awk, which a link chosen on the machine leads to one of the programs. @param {ReadonlySet<string>} programs */
function alternatives(programs) {
  const real = new Set([...programs].filter((path) => existsSync(path)).map((path) => realpathSync(path)))
  const folder = '/etc/alternatives'
  const all = readdirSync(folder).map((name) => /** @type {const} */ ([name, join(folder, name)]))
  return all.filter(([, path]) => existsSync(path) && real.has(realpathSync(path)))
}

/** @param {string} name */
function findProgram(name) {
  const path = (process.env.PATH ?? '').split(delimiter).find((dir) => existsSync(join(dir, name)))
  return path === undefined ? [] : [join(path, name)]
}

/** @param {string} program @param {readonly string[]} args */
const lines = (program, args) => (spawnSync(program, args, { encoding: 'utf8' }).stdout ?? '').split('\n').filter(Boolean)
