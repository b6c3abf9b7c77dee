/** A job of a site gets its values by names, which its script in bash declares: a name that only one of both has would be lost. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { jobValues } from '@/lib/service/machines/debian/sites/job'
import { siteWorks } from './site-works'

test.each(Object.values(siteWorks))('each value of a job of the kind $kind has a name that the job declares', (work) => {
  const script = new URL(`../../../lib/service/machines/debian/sites/jobs/${work.kind}.bash`, import.meta.url)
  const [before = ''] = (readFileSync(script, 'utf8').split(`job_${work.kind}() {\n`)[1] ?? '').split('  read_values "$@"\n')
  const declared = [...before.matchAll(/(?<=local .*)\b[a-z][a-z0-9_]*(?=[ =\n])/g)].map(([name]) => name)
  const names = jobValues(work, 'host.example')
    .slice(5)
    .map((value) => value.split('=')[0])
  expect(names.filter((name) => !declared.includes(name ?? ''))).toEqual([])
})

test('a value is what comes after the first equals sign, with its line breaks', () => {
  const run = readFileSync(new URL('../../../lib/service/machines/debian/sites/run.bash', import.meta.url), 'utf8')
  const [definition] = /^read_values\(\) \{\n[\s\S]*?\n\}\n/m.exec(run) ?? []
  const values = ['one=a=b', 'two=$(id) %s\n`x`\n', 'three=']
  const script = `${definition}\nf() { local one two three; read_values "$@"; printf '<%s>' "$one" "$two" "$three"; }\nf "$@"`
  expect(execFileSync('bash', ['-euc', script, 'bash', ...values], { encoding: 'utf8' })).toBe('<a=b><$(id) %s\n`x`\n><>')
})
