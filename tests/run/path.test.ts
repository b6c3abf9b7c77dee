/** What `npm test -- --all` lets tests find. */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const onDebian = existsSync('/usr/bin/dpkg-query')

/** What a command of sh prints with a PATH that was cut, on a machine that has one program more than Debian. $0: a folder for it. */
function runCut(command: string, words: readonly string[] = []): string {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-path-'))
  try {
    mkdirSync(join(dir, 'more'))
    writeFileSync(join(dir, 'more/installed-by-hand'), '#!/bin/sh\n')
    chmodSync(join(dir, 'more/installed-by-hand'), 0o755)
    const script = `import { spawnSync } from 'node:child_process'
      import { cutPath } from '${process.cwd()}/tests/run/path.mjs'
      if (!cutPath('${dir}/programs')) throw new Error('not cut')
      const { stdout, stderr } = spawnSync('sh', ${JSON.stringify(['-c', command, dir, ...words])})
      process.stdout.write(stdout)
      process.stderr.write(stderr)`
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, PATH: `${join(dir, 'more')}:${process.env.PATH}` },
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    return stdout
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

const always = ['sh', 'bash', 'awk', 'sed', 'grep', 'tar', 'flock', 'unshare', 'setpriv', 'nsenter', 'mount', 'chroot', 'perl', 'apt-get']

test.runIf(onDebian)('a strict run finds Debian itself, Node, npm and git, and nothing that somebody installed by hand', () => {
  const brought = [...always, 'node', 'npm', 'npx', 'git']
  const found = runCut('for name; do command -v $name; done', [...brought, 'installed-by-hand'])
  expect(found.split('\n').flatMap((path) => path.split('/').at(-1) || [])).toEqual(brought)
})

test.runIf(onDebian && existsSync('/usr/bin/gcc'))('a strict run finds what gcc starts', () => {
  expect(runCut('cd "$0" && echo "int one(void) { return 1; }" >one.c && gcc -shared -fPIC -o one.so one.c && ls one.so')).toBe('one.so\n')
})
