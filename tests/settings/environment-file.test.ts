/** Files of settings mean what systemd's EnvironmentFile= makes of them. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseEnvironmentFile } from '@/lib/launcher/environment-file.mjs'

const read = (text: string) => Object.fromEntries(parseEnvironmentFile(text).assignments.map(({ name, value }) => [name, value]))

test.each<[written: string, value: string]>([
  ['MAIL_FROM=Gatehouse <a@b>', 'Gatehouse <a@b>'],
  ['OIDC_NAME=Company id', 'Company id'],
  ['A=', ''],
  ['A=""', ''],
  ['A=plain', 'plain'],
  ['  A = spaces around  ', 'spaces around'],
  ['A="in quotes"', 'in quotes'],
  ['A="  kept  "  ', '  kept  '],
  ["A='single $HOME \\n'", 'single $HOME \\n'],
  ['A=$(touch /root/x)`id`', '$(touch /root/x)`id`'],
  ['A=first; touch /root/x', 'first; touch /root/x'],
  [`A=$HOME \${HOME}`, `$HOME \${HOME}`],
  ['A=#no comment', '#no comment'],
  ['A=x #no comment', 'x #no comment'],
  ['A=one \\\ntwo', 'one two'],
  ['A=one\\\n  two', 'one  two'],
  ['A=one\\\\two', 'one\\two'],
  ['A=a\\"b\\ ', 'a"b '],
  ['A=\\x', 'x'],
  ['A="a\\"b\\\\c\\`d\\$e"', 'a"b\\c`d$e'],
  ['A="a\\nb"', 'a\\nb'],
  ['A="one\\\ntwo"', 'onetwo'],
  ['A="one\ntwo"', 'one\ntwo'],
  ["A='one\ntwo'", 'one\ntwo'],
  ['A="x" \'y\' z', 'xyz'],
  ['A=x "y"', 'x "y"'],
  ["A=don't", "don't"],
  ['A=a=b=c', 'a=b=c'],
  ['A=first\nA=second', 'second'],
  ['A=é ü 漢', 'é ü 漢'],
  ['A=windows\r\nB=x', 'windows'],
  ['A=at the end\\', 'at the end'],
  ['# \\\\\nA=after', 'after'],
])('%j', (written, value) => {
  expect(Object.values(read(written))[0]).toBe(value)
  expect(parseEnvironmentFile(written).faults).toEqual([])
})

test('a value with a control character counts for nothing, and tabs and line ends are none', () => {
  expect(read('A=a\u0000b\nB=\u007f\nC="x\ty\nz"\n D\t =1')).toEqual({ C: 'x\ty\nz', D: '1' })
})

test('comments and empty lines count for nothing, and lines are numbered as an editor does', () => {
  const text = '# A=1\n; B=2\n\n   # C=3\nD="x\ny"\n\nE=one\\\n  two\r\nF=6'
  expect(parseEnvironmentFile(text)).toEqual({
    assignments: [
      { name: 'D', value: 'x\ny', line: 5 },
      { name: 'E', value: 'one  two', line: 8 },
      { name: 'F', value: '6', line: 10 },
    ],
    faults: [],
  })
})

test.each([
  ['OK=1\nsome words', 2, /neither NAME=VALUE nor a comment/],
  ['export A=hunter2', 1, /leave out export/],
  ['A-B=hunter2', 1, /not a name/],
  ['1A=hunter2', 1, /not a name/],
  ['=hunter2', 1, /not a name/],
  ['A\u00a0=hunter2', 1, /not a name/],
  ['\ufeffA=hunter2', 1, /byte order mark/],
  ['\ufeff# hunter2\nA=1', 1, /byte order mark/],
  ['A=1\n# hunter2 \\\nB=2', 2, /comment ends with a backslash/],
  ['; hunter2\\\r\nB=2', 1, /comment ends with a backslash/],
  ['A=1\nB=hunter2\u0007', 2, /value of B .*control character/],
  ['A="hunter2\u001b[2J"', 1, /value of A .*control character/],
  ['A B=hunter2', 1, /not a name/],
  ['OK=1\nA="hunter2\nB=2', 2, /double quote that is never closed/],
  ["A='hunter2", 1, /single quote that is never closed/],
])('%j is a fault in line %i, told without the value', (text, line, message) => {
  const { faults } = parseEnvironmentFile(text)
  expect(faults).toEqual([{ line, message: expect.stringMatching(message) }])
  expect(JSON.stringify(faults)).not.toContain('hunter2')
})

test('any value without control characters comes back as it was if it is quoted, and no text makes the parser fail', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const value = [...text]
        .filter((char) => char >= ' ' || '\t\n'.includes(char))
        .join('')
        .replaceAll('\u007f', '')
      const quoted = `"${value.replace(/["\\`$]/g, '\\$&')}"`
      expect(read(`A=${quoted}\nB=after`)).toEqual({ A: value, B: 'after' })
    }),
  )
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('A', '=', '"', "'", '\\', '\n', '\r', ' ', '#', ';', '$'), maxLength: 40 }), (text) => {
      const lines = text.split(/\r\n|\r|\n/).length
      const { assignments, faults } = parseEnvironmentFile(text)
      for (const { line } of [...assignments, ...faults]) expect(line >= 1 && line <= lines).toBe(true)
    }),
  )
})
