/** Where the units may write scheduled backups, against what docs/running.md tells an administrator to create. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const documented = readFileSync('docs/running.md', 'utf8')

const valuesOf = (unit: string, name: string): string[] =>
  unit.split('\n').flatMap((line) => (line.startsWith(`${name}=`) ? line.slice(name.length + 1).split(' ') : []))

test.each([
  ['portal', 'service'],
  ['service', 'portal'],
])('the unit of the %s may write the documented folder if it is there, and not open that of the %s', (half, other) => {
  expect(documented).toContain('echo BACKUP_FOLDER=/var/backups/gatehouse-$half >> /etc/gatehouse/$half.env')
  const unit = readFileSync(`deploy/deb/gatehouse-${half}.service`, 'utf8')
  expect(valuesOf(unit, 'ProtectSystem')).toEqual(['strict'])
  expect(valuesOf(unit, 'ReadWritePaths')).toEqual([`-/var/backups/gatehouse-${half}`])
  expect(valuesOf(unit, 'InaccessiblePaths')).toContain(`-/var/backups/gatehouse-${other}`)
})
