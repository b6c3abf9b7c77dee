import { expect, test } from 'vitest'
import { keysOf, shortcuts } from '@/app/_shared/keyboard/shortcuts'
import { type Begun, strokeOf, takeStroke } from '@/app/_shared/keyboard/use-shortcuts'

const press = (key: string, held: Partial<Record<'ctrlKey' | 'metaKey' | 'altKey', boolean>> = {}) =>
  strokeOf({ key, ctrlKey: false, metaKey: false, altKey: false, ...held })

/** What a row of strokes does, `gapMs` apart. */
function effectsOf(strokes: readonly string[], gapMs = 100): (string | null)[] {
  let begun: Begun = null
  return strokes.map((stroke, place) => {
    const taken = takeStroke(begun, stroke, 1000 + place * gapMs)
    begun = taken.begun
    return taken.shortcut?.effect ?? null
  })
}

test('g and a letter go to a page', () => {
  expect(effectsOf(['g', 's'])).toEqual([null, 'go:/servers'])
  expect(effectsOf(['g', 'h', 'g', 'j'])).toEqual([null, 'go:/', null, 'go:/jobs'])
})

test('a letter alone, after another stroke or too late goes nowhere', () => {
  expect(effectsOf(['s'])).toEqual([null])
  expect(effectsOf(['g', 'z', 's'])).toEqual([null, null, null])
  expect(effectsOf(['g', 's'], 5000)).toEqual([null, null])
})

test('g twice still waits for the letter', () => {
  expect(effectsOf(['g', 'g', 's'])).toEqual([null, null, 'go:/servers'])
})

test('a single-stroke shortcut works in the middle of a sequence', () => {
  expect(effectsOf(['g', '?'])).toEqual([null, 'shortcuts'])
})

test('j and k enter the list of the page from anywhere, but not as the second letter of a page', () => {
  expect(effectsOf(['j', 'k'])).toEqual(['rows', 'rows'])
  expect(effectsOf(['g', 'j', 'j'])).toEqual([null, 'go:/jobs', 'rows'])
})

test('Ctrl and Cmd are equivalent; Alt and named keys are unused', () => {
  expect(press('k', { ctrlKey: true })).toBe('mod+k')
  expect(press('K', { metaKey: true })).toBe('mod+k')
  expect(press('g', { altKey: true })).toBeNull()
  expect(press('Shift')).toBeNull()
  expect(effectsOf(['mod+k', 'mod+g', 's'])).toEqual(['palette', null, null])
})

test('no two shortcuts share their strokes, and none is the beginning of another', () => {
  const written = shortcuts.map(({ strokes }) => strokes.join(' '))
  expect(new Set(written).size).toBe(written.length)
  const singles = new Set(shortcuts.filter(({ strokes }) => strokes.length === 1).map(({ strokes }) => strokes[0]))
  expect(shortcuts.filter(({ strokes }) => strokes.length > 1 && singles.has(strokes[0] ?? ''))).toEqual([])
})

test('keys are written as they stand on the keyboard', () => {
  expect(keysOf('mod+k', false)).toEqual(['Ctrl', 'K'])
  expect(keysOf('mod+k', true)).toEqual(['⌘', 'K'])
  expect(keysOf('escape', false)).toEqual(['Esc'])
  expect(keysOf('shift+x', false)).toEqual(['Shift', 'X'])
})
