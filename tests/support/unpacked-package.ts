/** Programs of Debian's packages, unpacked into a folder: nothing is installed, and no server of theirs starts. */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemPath } from '../run/packages.mjs'

export type Unpacked = Disposable & { program: string; dir: string }

/**
 * Fetches the package, and those it depends on that are not installed; reads apt's lists again only when they do not do.
 * A package that is installed is fetched as well: every machine tests with the same one.
 */
const fetchPackages = `set -e
mkdir partial
fetch() {
  apt-get install -y -qq --download-only --reinstall --no-install-recommends \\
    -o Dir::Cache::archives="$PWD" -o APT::Sandbox::User=root -o Debug::NoLocking=1 "$1"
}
fetch "$1" || { apt-get update -qq; fetch "$1"; }
rm -f libc6_*.deb
for package in *.deb; do dpkg -x "$package" .; done`

/** file: the program within the package. Null where there is no apt; throws with apt's words. */
export function unpackPackage(name: string, file: string): Unpacked | null {
  if (!existsSync('/usr/bin/apt-get')) return null
  const dir = mkdtempSync(join(tmpdir(), `gatehouse-${name}-`))
  const clear = () => rmSync(dir, { recursive: true, force: true })
  const env = { ...process.env, PATH: systemPath }
  const { stderr } = spawnSync('sh', ['-c', fetchPackages, 'sh', name], { cwd: dir, env, encoding: 'utf8' })
  const program = join(dir, file)
  if (!existsSync(program)) {
    clear()
    throw new Error(`${name} could not be fetched: ${stderr}`)
  }
  // Its workers may run as another user where this is root.
  chmodSync(dir, 0o755)
  return { program, dir, [Symbol.dispose]: clear }
}
