/** Commands in a project without installed dependencies. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeBareProject } from '../support/bare-project'

const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync('package.json', 'utf8'))

/** These install what is missing. */
const install = ['up', 'dev', 'ready', 'portal', 'service', 'release', 'test', 'soak']

test.each(Object.keys(scripts).filter((name) => !install.includes(name)))(
  '`npm run %s` without installed dependencies says in one line what to run',
  (name) => {
    using project = makeBareProject()
    copyFileSync('package.json', join(project.dir, 'package.json'))
    const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', name], { cwd: project.dir, encoding: 'utf8' })
    expect({ status, said: stdout + stderr.replace(/^npm warn .*\n/gm, '') }).toEqual({
      status: 1,
      said: 'Gatehouse is not installed here yet. Run "npm run ready" first.\n',
    })
  },
)
