/** What programs print on a server reaches a job's lines in part only: nothing of rows, and no line that is longer than 4 KB. By this machine's own bash. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readScript } from '@/lib/service/machines/debian/script'

const bash = (file: string, command: string, input: string, ...args: string[]): string =>
  execFileSync('bash', ['-euc', `${readScript(file)}\n${command}`, 'bash', ...args], {
    input,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })

test('a line of a step is cut before bash reads it, and the lines after it arrive whole', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-lines-'))
  try {
    const command = 'shopt -s lastpipe; step=S progress=5 events=$1 reserve=$1.r; cut_lines | relay; echo "$last"'
    // Bash alone takes the square of its length: minutes.
    expect(bash('steps/tell.bash', command, `first\n${'x'.repeat(20_000_000)}\nlast line`, join(folder, 'events'))).toBe('last line\n')
    const lines = readFileSync(join(folder, 'events'), 'utf8').trimEnd().split('\n')
    expect(lines.map((line) => line.split('\t')[4]?.slice(0, 9))).toEqual(['first', 'xxxxxxxxx', 'last line'])
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(4096)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
