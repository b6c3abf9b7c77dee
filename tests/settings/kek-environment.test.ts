import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const program = `
  const { readFileSync } = await import('node:fs')
  const { execFileSync } = await import('node:child_process')
  const { getSettings } = await import('./lib/settings/settings.ts')
  const held = getSettings().kekFromEnvironment
  const own = readFileSync('/proc/self/environ', 'latin1').includes(held)
  const child = execFileSync('cat', ['/proc/self/environ'], { encoding: 'latin1' }).includes(held)
  console.log(JSON.stringify({ own, child }))
`

test.runIf(existsSync('/proc/self/environ'))(
  'children do not inherit GATEHOUSE_KEK, but /proc/PID/environ still shows it, as docs/running.md says',
  async () => {
    const env = { ...process.env, GATEHOUSE_KEK: Buffer.alloc(32, 'kek').toString('base64') }
    const args = ['--import', 'tsx', '--input-type=module', '--eval', program]
    const { stdout } = await promisify(execFile)(process.execPath, args, { env })
    expect(JSON.parse(stdout)).toEqual({ own: true, child: false })
  },
)
