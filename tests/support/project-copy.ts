/** A copy of this project whose sources a test may change. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const apart = ['.git', 'data', 'keys', 'node_modules', 'tests', 'docs']

/** Whatever was generated and built so far comes along, but for what `without` names. Dependencies are hard links where the disk allows it. */
export function copyProject(without: readonly string[] = []): Disposable & { dir: string } {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-copy-'))
  for (const name of readdirSync('.').filter((name) => !apart.includes(name) && !without.includes(name))) {
    cpSync(name, join(dir, name), { recursive: true, verbatimSymlinks: true })
  }
  const linked = spawnSync('cp', ['-al', 'node_modules', dir]).status === 0
  if (!linked) cpSync('node_modules', join(dir, 'node_modules'), { recursive: true, verbatimSymlinks: true })
  return { dir, [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }) }
}
