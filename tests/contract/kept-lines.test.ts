import { expect, test } from 'vitest'
import { createLineGate, formatLeftOut, type Kept, type LineBound } from '@/lib/contract/kept-lines'

const bound: LineBound = { perSecond: 100, burst: 200, max: 1_000, maxNews: 3, tail: 5 }

function createScene(given: Partial<LineBound> = {}, kept = 0) {
  let clock = 0
  let number = 0
  const stored: Kept<string>[] = []
  const gate = createLineGate<string>(
    ({ length }) => length,
    kept,
    { ...bound, ...given },
    () => clock,
  )
  return {
    gate,
    wait: (ms: number) => {
      clock += ms
    },
    send(count: number, news = false) {
      for (let index = 0; index < count; index += 1) {
        number += 1
        stored.push(...gate.take(`${number}`, news))
      }
    },
    add: (more: readonly Kept<string>[]) => void stored.push(...more),
    told: () => stored.map((each) => (each.kind === 'line' ? each.line : `${each.count} to ${each.last}`)),
    lines: () => stored.filter(({ kind }) => kind === 'line').length,
    leftOut: () => stored.reduce((sum, each) => sum + (each.kind === 'left-out' ? each.count : 0), 0),
    sent: () => number,
  }
}

test('the usual rate loses no line, however long it lasts', () => {
  const scene = createScene({ max: 100_000 })
  for (let second = 0; second < 300; second += 1) {
    scene.send(100)
    scene.wait(1_000)
  }
  expect([scene.lines(), scene.leftOut()]).toEqual([30_000, 0])
})

test('above the rate the first lines are kept, then one gap a second or so stands for those left out, and none is lost uncounted', () => {
  const scene = createScene({ max: 100_000 })
  for (let tick = 0; tick < 100; tick += 1) {
    scene.send(50)
    scene.wait(100)
  }
  scene.add(scene.gate.end(null))
  expect(scene.lines() + scene.leftOut()).toBe(scene.sent())
  expect(scene.lines()).toBeGreaterThan(1_000)
  expect(scene.lines()).toBeLessThan(1_300)
  expect(scene.told().filter((text) => text.includes(' to ')).length).toBeLessThan(15)
})

test('the lines before a silence and before the end are kept, and the gap stands before them', () => {
  const scene = createScene()
  scene.send(300)
  expect(scene.gate.gapOpen).toBe(true)
  scene.wait(1_000)
  scene.add(scene.gate.pause())
  expect(scene.told().slice(199)).toEqual(['200', '95 to 295', '296', '297', '298', '299', '300'])
  expect(scene.gate.gapOpen).toBe(false)
  scene.add(scene.gate.end('the end'))
  expect(scene.told().at(-1)).toBe('the end')
})

test('a gap of no more lines than are kept anyway is none', () => {
  const scene = createScene()
  scene.send(205)
  scene.add(scene.gate.end('the end'))
  expect(scene.told()).toEqual([...Array.from({ length: 205 }, (_, index) => `${index + 1}`), 'the end'])
})

test('news of the run is kept where lines are left out, so many times', () => {
  const scene = createScene()
  scene.send(210)
  scene.send(1, true)
  scene.send(10)
  scene.send(5, true)
  scene.add(scene.gate.end(null))
  expect(scene.told().slice(200)).toEqual(['10 to 210', '211', '10 to 221', '222', '223', '224', '225', '226'])
})

test('beyond the most that a run keeps, lines are left out however slowly they come, and the last are kept', () => {
  const scene = createScene({ max: 50 }, 40)
  for (let index = 0; index < 100; index += 1) {
    scene.send(1)
    scene.wait(1_000)
    scene.add(scene.gate.pause())
  }
  scene.add(scene.gate.end('the end'))
  expect(scene.told()).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '85 to 95', '96', '97', '98', '99', '100', 'the end'])
})

test('long lines count as several, so that what a run keeps is bounded in characters too', () => {
  const scene = createScene({ max: 100_000 })
  for (let index = 0; index < 100; index += 1) scene.add(scene.gate.take('x'.repeat(9_999), false))
  expect(scene.lines()).toBe(20)
})

test('the line that says how many are left out separates thousands', () => {
  expect([1, 2, 999, 12_400, 1_234_567].map(formatLeftOut)).toEqual([
    '… 1 line left out',
    '… 2 lines left out',
    '… 999 lines left out',
    '… 12,400 lines left out',
    '… 1,234,567 lines left out',
  ])
})
