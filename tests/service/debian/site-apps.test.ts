/** Which apps the facts of sites name: texts of their files arrive in pieces, between those of other sites. */
import { expect, test } from 'vitest'
import { readCatalogue } from '@/lib/service/machines/apps/catalogue'
import { appValues, parseFacts } from '@/lib/service/machines/debian/sites/facts'

const catalogue = readCatalogue()
const facts = (name: string) => [name, 'facts', '1024', 'answers', 'on', ''].join('\t')

function textLines(name: string, app: string, text: string): string[] {
  const pieces =
    Buffer.from(text)
      .toString('base64')
      .match(/.{1,384}/g) ?? []
  return pieces.map((piece) => [name, 'text', app, piece].join('\t'))
}

/** As in a real installation, where the version comes after a comment. */
const versionFile = `<?php\n/**\n${' * WordPress Version, é.\n'.repeat(40)} */\n$wp_version = '6.6.1';\n`

test('apps are recognised by the texts of their files; a site without any has none, and without a catalogue nothing is said', () => {
  const [one, two] = [textLines('blog', 'wordpress', versionFile), textLines('wiki', 'dokuwiki', '2024-02-06b "Kaos"\n')]
  expect(one.length).toBeGreaterThan(2)
  const printed = [
    ...['blog', 'wiki', 'plain'].map(facts),
    ...[0, 1, 2, 3].flatMap((at) => [one[at] ?? [], two[at] ?? []].flat()),
    ...one.slice(4),
    ...textLines('plain', 'wordpress', 'no version'),
  ].join('\n')
  const found = parseFacts(printed, catalogue)
  expect(['blog', 'wiki', 'plain'].map((name) => found.get(name)?.app)).toEqual([
    { app: 'wordpress', version: '6.6.1' },
    { app: 'dokuwiki', version: '2024-02-06b' },
    null,
  ])
  expect(parseFacts(printed).get('blog')).not.toHaveProperty('app')
})

test('the script gets how many apps there are, and two files for each', () => {
  expect(appValues(catalogue)).toEqual(['2', 'dokuwiki', 'VERSION', 'doku.php', 'wordpress', 'wp-includes/version.php', 'wp-load.php'])
  expect(appValues([])).toEqual(['0'])
})
