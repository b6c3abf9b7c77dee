import { expect, test } from 'vitest'
import { isTypedName, showBidiControls } from '@/lib/text/bidi'

const controls = [...'\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069']

test('each bidirectional control character is shown as its code; other text, also right-to-left, stays', () => {
  for (const control of controls) {
    expect(showBidiControls(`a${control}b`)).toMatch(/^a\[U\+(061C|20[0-9A-F]{2})\]b$/)
  }
  expect(showBidiControls('web\u202egpj.exe\u2069')).toBe('web[U+202E]gpj.exe[U+2069]')
  for (const text of ['web-1', 'שרת', 'خادم ١', 'a\u200db', '']) expect(showBidiControls(text)).toBe(text)
})

test('a name with invisible characters is confirmed by its visible text, by its codes or by its bytes, and by nothing else', () => {
  const name = 'web\u202e1'
  for (const typed of ['web1', ' web1 ', 'web[U+202E]1', name]) expect(isTypedName(typed, name)).toBe(true)
  for (const typed of ['', 'web', '1bew', 'web[U+202D]1']) expect(isTypedName(typed, name)).toBe(false)
  expect(isTypedName('web1', 'web[U+202E]1')).toBe(false)
  expect(isTypedName('', 'web1')).toBe(false)
})
