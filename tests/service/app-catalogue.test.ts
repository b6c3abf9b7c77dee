/** The catalogue of apps: what is built in, what an operator adds, and what is recognised. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { CatalogueError, readCatalogue } from '@/lib/service/machines/apps/catalogue'
import { shownVersion } from '@/lib/service/machines/apps/entry'
import { parseAppFacts } from '@/lib/service/machines/debian/sites/apps'
import { jobValues } from '@/lib/service/machines/debian/sites/job'

const entryOf = (app: string) => {
  const entry = readCatalogue().find((each) => each.app === app)
  if (!entry) throw new Error(`${app} is not in the catalogue`)
  return entry
}

const own = {
  app: 'own-app',
  title: 'Own app',
  source: { address: 'https://apps.example/own.tar.gz', sha256: 'a'.repeat(64), strip: 1, version: '1.0' },
  folders: [{ from: '', to: '' }],
  database: true,
  login: '/login',
  found: { file: 'version.txt', version: '^(\\d+)', beside: 'index.php' },
}

function folderWith(entry: object, { steps = '<?php echo "installed\\n";', name = 'own-app' } = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-apps-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(entry))
  if (steps !== '') writeFileSync(join(folder, `${name}.php`), steps)
  return folder
}

test('an operator adds an app by an archive, its hash and its steps', () => {
  const [entry] = readCatalogue(folderWith(own)).filter(({ app }) => app === 'own-app')
  expect(entry).toMatchObject({ title: 'Own app', steps: '<?php echo "installed\\n";', directives: '', left_out: [] })
  expect(entry && shownVersion(entry, '')).toBe('1.0')
})

test('an entry that is invalid is named, with what is wrong', () => {
  const refused = [
    folderWith({ ...own, source: { ...own.source, sha256: 'short' } }),
    folderWith({ ...own, source: { ...own.source, address: 'file:///etc/passwd' } }),
    folderWith({ ...own, folders: [{ from: '../etc', to: '' }] }),
    folderWith({ ...own, login: 'javascript:alert(1)' }),
    folderWith({ ...own, found: { ...own.found, version: '(' } }),
    folderWith({ ...own, unknown: true }),
    folderWith(own, { steps: '' }),
    folderWith(own, { name: 'another' }),
    folderWith({ ...own, app: 'wordpress' }, { name: 'wordpress' }),
    '/no/such/folder',
  ]
  for (const folder of refused) expect(() => readCatalogue(folder)).toThrow(CatalogueError)
})

test('versions of packages are shown as people know them', () => {
  const [wordpress, dokuwiki] = [entryOf('wordpress'), entryOf('dokuwiki')]
  expect(shownVersion(wordpress, '6.1.9+dfsg1-0+deb12u1')).toBe('6.1.9')
  expect(shownVersion(wordpress, '6.8.12+dfsg1-0+deb13u1')).toBe('6.8.12')
  expect(shownVersion(dokuwiki, '0.0.20220731.a-2')).toBe('2022-07-31a')
  expect(shownVersion(dokuwiki, '2024-02-06b+dfsg-9')).toBe('2024-02-06b')
  expect(shownVersion(wordpress, '')).toBe('')
})

test('an app is recognised by the text of its files, and nothing else is taken for one', () => {
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const facts = (app: string, file: string, beside: string) =>
    parseAppFacts(`php\t8.2\ntext\t${app}\t${base64(file)}\t${base64(beside)}\npackage\twordpress\t6.1.9-1\n`, readCatalogue())
  expect(facts('wordpress', "<?php\n/** Text. */\n$wp_version = '6.8.12';\n", '<?php')).toEqual({
    found: { app: 'wordpress', version: '6.8.12', build: '' },
    php: '8.2',
    packages: new Map([['wordpress', '6.1.9-1']]),
  })
  expect(facts('dokuwiki', '2022-07-31b "Igor"\n', '$updateVersion = "53.1";').found).toEqual({
    app: 'dokuwiki',
    version: '2022-07-31b',
    build: '53.1',
  })
  for (const file of ['', 'root:*:19000', "$wp_version = '<script>';", "$wp_version = '6.8\n';", '\0'.repeat(100)])
    expect(facts('wordpress', file, '').found).toBe(null)
  expect(parseAppFacts('text\tnobody\t%%%\t\n\nphp\t$(id)\n', readCatalogue())).toEqual({ found: null, php: '', packages: new Map() })
})

test('a job gets every value of an entry by its name', () => {
  const site = { id: 'site-1', name: 'examplebeef', domain: 'example.org', aliases: [] }
  const passwords = { password: 'first', databasePassword: 'second' }
  const values = jobValues({ kind: 'app', site, app: entryOf('wordpress'), ...passwords }, 'host')
  expect(values.slice(0, 9)).toEqual([
    'app',
    'site-1',
    'examplebeef',
    'example.org',
    '',
    'title=WordPress',
    'source=packages',
    'origin=wordpress',
    'patterns=wordpress-theme-*\nlibjs-*\nphp-getid3',
  ])
  expect(values.slice(-3)).toEqual(['admin=admin', 'admin_password=first', 'database_password=second'])
  expect(values.every((value) => !value.includes('\0'))).toBe(true)
})
