/** What `npm test -- --all` lets tests find. */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const onDebian = existsSync('/usr/bin/dpkg-query')

/** The names that a shell finds with a PATH that was cut, on a machine that has one program more than Debian. */
function find(names: readonly string[]): string[] {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-path-'))
  try {
    mkdirSync(join(dir, 'more'))
    writeFileSync(join(dir, 'more/installed-by-hand'), '#!/bin/sh\n')
    chmodSync(join(dir, 'more/installed-by-hand'), 0o755)
    const script = `import { spawnSync } from 'node:child_process'
      import { cutPath } from '${process.cwd()}/tests/run/path.mjs'
      if (!cutPath('${dir}/programs')) throw new Error('not cut')
      process.stdout.write(spawnSync('sh', ['-c', 'for name; do command -v $name; done', 'sh', ...${JSON.stringify(names)}]).stdout)`
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, PATH: `${join(dir, 'more')}:${process.env.PATH}` },
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    return stdout.split('\n').flatMap((path) => path.split('/').at(-1) || [])
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

const always = ['sh', 'bash', 'awk', 'sed', 'grep', 'tar', 'flock', 'unshare', 'setpriv', 'nsenter', 'mount', 'chroot', 'perl', 'apt-get']

test.runIf(onDebian)('a strict run finds Debian itself, Node, npm and git, and nothing that somebody installed by hand', () => {
  const brought = [...always, 'node', 'npm', 'npx', 'git']
  expect(find([...brought, 'installed-by-hand'])).toEqual(brought)
})
