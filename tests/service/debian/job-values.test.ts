/** A job of a site gets its values by names, which its script in bash declares: a name that only one of both has would be lost. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readCatalogue } from '@/lib/service/machines/apps/catalogue'
import { jobValues } from '@/lib/service/machines/debian/sites/job'
import type { SiteWork } from '@/lib/service/machines/sites'

const site = { id: 'site-1', name: 'examplebeef', domain: 'example.org', aliases: ['www.example.org'] }
const orders = {
  authority: { directory: 'https://ca.example/directory', roots: '', contact: '' },
  refused: [{ name: 'a.example', reason: 'CAA' }],
}
const copied = { copy: { ...site, id: 'copy-1' }, parts: { files: true, database: true, tables: ['a b'] } }
const settings = {
  php: '8.4',
  uploadMb: 64,
  memoryMb: 256,
  folder: '',
  workers: 10,
  waiting: 30,
  wwwRedirect: true,
  hstsSeconds: 0,
  mailPerHour: null,
}
const [app] = readCatalogue()
if (app === undefined) throw new Error('The catalogue has no app.')
const backup = 'example.org-20260101-000000-manual.tar.zst'

const target = { endpoint: 'https://s3.example', region: 'eu-1', bucket: 'b12', folder: 'a', keyId: 'k', keySecret: 's', password: 'p' }

const works: readonly SiteWork[] = [
  { kind: 'create', site, password: 'p', databasePassword: 'd', owner: 'o', wwwRedirect: true, restored: { backup, taken: [], ...orders } },
  { kind: 'names', site, later: false, ...orders },
  { kind: 'ssl', site, on: true, ...orders },
  { kind: 'pull', site, ...copied, isNew: true, password: '', ...orders },
  { kind: 'push', site, ...copied, replace: false },
  { kind: 'settings', site, settings },
  { kind: 'app', site, app, password: 'p', databasePassword: 'd' },
  { kind: 'email', site, on: true },
  { kind: 'restore', site, backup, backupFirst: true, taken: [], ...orders },
  { kind: 'copy', site, target },
  { kind: 'delete', site, backup: true, owner: 'o' },
]

test.each(works)('each value of a job of the kind $kind has a name that the job declares', (work) => {
  const script = new URL(`../../../lib/service/machines/debian/sites/jobs/${work.kind}.bash`, import.meta.url)
  const [before = ''] = (readFileSync(script, 'utf8').split(`job_${work.kind}() {\n`)[1] ?? '').split('  read_values "$@"\n')
  const declared = [...before.matchAll(/(?<=local .*)\b[a-z_]+(?=[ =\n])/g)].map(([name]) => name)
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
