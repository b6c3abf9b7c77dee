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

/** As the client of Debian 12 and 13 prints it. */
const said = (statement: string, error: string) => `--------------\n${statement}\n--------------\n\n${error}\n`

test('of what a client says, the statement that failed and the values that it quotes are left out', () => {
  const errors = (text: string) => bash('sites/load-errors.bash', 'errors_only', text)
  const statement = `INSERT INTO \`t\` VALUES\n(1,'secret ERROR 1 row'),\n(2,'${'secret'.repeat(3_000_000)}')`
  expect(errors(said(statement, 'ERROR 2006 (HY000) at line 39: Server has gone away'))).toBe(
    'ERROR 2006 (HY000) at line 39: Server has gone away\n',
  )
  expect(errors("ERROR 1062 (23000) at line 1: Duplicate entry 'secret' for key 'a'")).toBe(
    'ERROR 1062 (23000) at line 1: Duplicate entry\n',
  )
  expect(errors("ERROR 1064 (42000) at line 7: You have an error in your SQL syntax; check near 'secret'")).toBe(
    'ERROR 1064 (42000) at line 7: You have an error in your SQL syntax\n',
  )
  expect(errors("ERROR 1366 (22007) at line 7: Incorrect string value: 'secret' for column")).toBe('ERROR 1366 (22007) at line 7\n')
  expect(errors("ERROR 1359 (HY000) at line 7: Trigger 'a' already exists")).toBe(
    "ERROR 1359 (HY000) at line 7: Trigger 'a' already exists\n",
  )
})

test('an error is reported with the table that its line is about', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-places-'))
  try {
    const dump = [
      '-- head',
      'CREATE TABLE `a` (',
      '  x INT);',
      'INSERT INTO `a` VALUES',
      '(1);',
      'CREATE TABLE `b ``c` (x INT);',
      'INSERT INTO `b ``c` VALUES',
      '(2);',
    ]
    expect(bash('sites/load-errors.bash', 'name_tables "$1"', dump.join('\n'), join(folder, 'places'))).toBe(dump.join('\n'))
    const explained = (line: number) =>
      bash('sites/load-errors.bash', 'explain_errors "$1"', `ERROR 1 (2) at line ${line}: x\n`, join(folder, 'places'))
    expect(explained(5)).toBe('ERROR 1 (2) at line 5: x (in the table a)\n')
    expect(explained(8)).toBe('ERROR 1 (2) at line 8: x (in the table b ``c)\n')
    expect(explained(1)).toBe('ERROR 1 (2) at line 1: x\n')
  } finally {
    rmSync(folder, { recursive: true })
  }
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
