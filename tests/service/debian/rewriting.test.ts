/** Addresses of one site become those of another, in whatever a database has: by the program that runs on a server, under PHP. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openChance, seededRuns } from '../../support/seeds'

const program = join(import.meta.dirname, '../../../lib/service/machines/debian/sites/staging/rewrite.php')
const fuzz = join(import.meta.dirname, 'rewriting.php')

const php = (...args: string[]): string => execFileSync('php', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })

const chance = openChance()

test(`serialized PHP and JSON, nested in each other, stay readable and get every address, SEED=${chance.seed}`, () => {
  expect(php(fuzz, program, String(chance.seed % 1_000_000), String(seededRuns(25_000)))).toBe('')
})

const addresses = "new Addresses(['example.org', 'www.example.org'], 'http://staging.example.org', 'exampleorg3f9a', 'other1b2c')"

/** One value, as PHP prints it. */
const rewritten = (value: string): string => php('-r', `require $argv[1]; echo (${addresses})->value($argv[2]);`, '--', program, value)

/** How many values stay as they are. */
const left = (value: string): string =>
  php('-r', `require $argv[1]; $made = ${addresses}; $made->value($argv[2]); echo $made->left;`, '--', program, value)

test('lengths are of bytes, and formats of classes of their own stay as they are unless they are serialized themselves', () => {
  expect(rewritten('a:1:{s:3:"url";s:23:"ż https://example.org/";}')).toBe('a:1:{s:3:"url";s:30:"ż http://staging.example.org/";}')
  expect(rewritten('S:19:"https\\3a//example.org";')).toBe('s:26:"http://staging.example.org";')
  expect(rewritten('C:4:"Mine":19:{https://example.org}')).toBe('C:4:"Mine":19:{https://example.org}')
  expect(rewritten('C:4:"Mine":27:{s:19:"https://example.org";}')).toBe('C:4:"Mine":34:{s:26:"http://staging.example.org";}')
})

test('what begins as serialized PHP and cannot be read stays and is counted, and the domain alone is replaced where it is the whole value', () => {
  expect(rewritten('s:999:"https://example.org";')).toBe('s:999:"https://example.org";')
  expect(left('s:999:"https://example.org";')).toBe('1')
  expect(left('s:999:"somebody@example.org";')).toBe('0')
  expect(rewritten('{"a":"s:999:\\"https://example.org\\";","b":"https://example.org"}')).toBe(
    '{"a":"s:999:\\"https://example.org\\";","b":"http://staging.example.org"}',
  )
  expect(rewritten('i:1; see https://example.org')).toBe('i:1; see http://staging.example.org')
  expect(rewritten('example.org')).toBe('staging.example.org')
  expect(rewritten('mail to example.org')).toBe('mail to example.org')
})

const made = "(new Addresses(['xn--mller-b-n2a.example', 'xn--e1afmkfd.xn--p1ai'], 'https://s.test', 'live1a2b', 'copy3c4d'))"

test('a domain of IDN is found in each form in which texts have it', () => {
  const forms = {
    'https://müller-b.example/x': 'https://s.test/x',
    'https://xn--mller-b-n2a.example/x': 'https://s.test/x',
    'https://XN--MLLER-B-N2A.example/x': 'https://s.test/x',
    'https://m%C3%BCller-b.example/x': 'https://s.test/x',
    'https://m%c3%9cller-b.example/x': 'https://s.test/x',
    'https%3A%2F%2Fm%C3%BCller-b.example%2Fx': 'https%3A%2F%2Fs.test%2Fx',
    'https%253A%252F%252Fm%25C3%25BCller-b.example': 'https%253A%252F%252Fs.test',
    'https://MÜLLER-B.EXAMPLE/x': 'https://s.test/x',
    '{"u":"https:\\/\\/m\\u00fcller-b.example\\/x"}': '{"u":"https:\\/\\/s.test\\/x"}',
    '"{\\"u\\":\\"https:\\\\/\\\\/M\\\\u00DCLLER-b.example\\"}"': '"{\\"u\\":\\"https:\\\\/\\\\/s.test\\"}"',
    'https://m&uuml;ller-b.example https://m&#252;ller-b.example https://m&#xFC;ller-b.example':
      'https://s.test https://s.test https://s.test',
    'a:1:{i:0;s:27:"https://müller-b.example/x";}': 'a:1:{i:0;s:16:"https://s.test/x";}',
    'müller-b.example': 's.test',
    'https://ПРИМЕР.рф/ https://пример.рф': 'https://s.test/ https://s.test',
    'https://muller-b.example https://müller-b.examples https://a.müller-b.example':
      'https://muller-b.example https://müller-b.examples https://a.müller-b.example',
  }
  const program_ = `require $argv[1]; $made = ${made}; echo json_encode(array_map($made->value(...), json_decode($argv[2])));`
  expect(JSON.parse(php('-r', program_, '--', program, JSON.stringify(Object.keys(forms))))).toEqual(Object.values(forms))
})

test('bytes of another character set are read as such', () => {
  const inLatin1 = `require $argv[1]; $made = ${made}; $made->read(new Names($made->ascii, ['ü' => "\\xfc", 'Ü' => "\\xdc"]));
    echo $made->value('s:26:"https://m' . "\\xfc" . 'ller-b.example/' . "\\xe9" . '";') === 's:16:"https://s.test/' . "\\xe9" . '";' ? 'same' : 'other';`
  expect(php('-r', inLatin1, '--', program)).toBe('same')
})

test('what still has the names is distinguished: addresses, addresses of mail, text and base64', () => {
  const kinds = (text: string) =>
    php('-r', 'require $argv[1]; echo implode(" ", (new Names(["shop.example"]))->kindsIn($argv[2]));', '--', program, text)
  expect(kinds('https://shop.example/')).toBe('address')
  expect(kinds('x%2F%2Fshop.example%2F')).toBe('address')
  expect(kinds('me@shop.example')).toBe('mail')
  expect(kinds('me%40shop.example')).toBe('mail')
  expect(kinds('{"a":"\\nshop.example"}')).toBe('text')
  expect(kinds('https://staging.shop.example and my-shop.example')).toBe('')
  for (const before of ['', 'a', 'ab'])
    expect(kinds(`x ${Buffer.from(`${before}https://shop.example/1`).toString('base64')}`)).toBe('base64')
})

test('a constant of PHP is found by its tokens: not in comments or texts', () => {
  const literals = (text: string) =>
    php('-r', 'require $argv[1]; echo json_encode(array_column(Defines::of($argv[2], "DB_PASSWORD"), 2));', '--', program, text)
  expect(
    literals(
      `<?php // define('DB_PASSWORD', 'one');\n# define('DB_PASSWORD', 'two');\n/* define('DB_PASSWORD', 'three'); */ Define ( "DB_PASSWORD" , 'it\\'s' );`,
    ),
  ).toBe('["it\'s"]')
  expect(
    literals(`<?php $a = "define('DB_PASSWORD', 'one');"; echo <<<X\ndefine('DB_PASSWORD', 'two');\nX;\nconst DB_PASSWORD = 'real';`),
  ).toBe('["real"]')
  expect(
    literals(`define('DB_PASSWORD', 'no PHP'); <?php define('DB_PASSWORD', getenv('P')); \\define('DB_PASSWORD', 'later', true);`),
  ).toBe('["later"]')
})
