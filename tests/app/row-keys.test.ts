/** What keys do in a list: moving, selecting ranges, and leaving other keys alone. */
import { expect, test } from 'vitest'
import { perform, type RowKeys } from '@/app/_ui/table/use-row-keys'

/** Presses keys one after another in a list of five rows; returns the rows that are selected, the current one, and which keys were handled. */
function press(...strokes: string[]) {
  const selected = new Set<number>()
  let [current, last] = [0, null as number | null]
  const keysNow = (): RowKeys => ({
    count: 5,
    current,
    moveTo: (index) => {
      current = index
    },
    isSelected: (index) => selected.has(index),
    toggle: (index, extend) => {
      const on = !selected.has(index)
      const from = extend && last !== null ? last : index
      for (let row = Math.min(from, index); row <= Math.max(from, index); row += 1) on ? selected.add(row) : selected.delete(row)
      last = index
    },
    toggleAll: () => [0, 1, 2, 3, 4].forEach((row) => void selected.add(row)),
    clear: () => selected.clear(),
  })
  const handled = strokes.map((stroke) => {
    const [key = '', ...held] = stroke.split('+').reverse()
    return perform({ key, shiftKey: held.includes('shift'), ctrlKey: held.includes('ctrl'), metaKey: false }, keysNow())
  })
  return { selected: [...selected].sort(), current, handled }
}

test('j, k, Home and End move and stop at the ends', () => {
  expect(press('j', 'j', 'k').current).toBe(1)
  expect(press('k').current).toBe(0)
  expect([press('End', 'j').current, press('End', 'Home').current]).toEqual([4, 0])
})

test('x selects the current row, Shift with x all up to it', () => {
  expect(press('x').selected).toEqual([0])
  expect(press('x', 'x').selected).toEqual([])
  expect(press('x', 'j', 'j', 'j', 'shift+X').selected).toEqual([0, 1, 2, 3])
})

test('moving with Shift selects the row that is left and the one that is reached', () => {
  expect(press('j', 'shift+J').selected).toEqual([1, 2])
  expect(press('j', 'shift+ArrowDown', 'shift+ArrowDown').selected).toEqual([1, 2, 3])
  expect(press('End', 'shift+K').selected).toEqual([3, 4])
  // At the end nothing is reached.
  expect(press('End', 'shift+J').selected).toEqual([])
  expect(press('shift+End').selected).toEqual([])
})

test('Ctrl A selects all and Escape none; other keys are left to the page', () => {
  expect(press('ctrl+a').selected).toEqual([0, 1, 2, 3, 4])
  expect(press('ctrl+a', 'Escape').selected).toEqual([])
  expect(press('Enter', 'g', 'ctrl+j', 'Tab').handled).toEqual([false, false, false, false])
})
