/** Files that take turns are there, and chance gives each of them its turn. */
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { drawOrder, turns } from './turns.mjs'

const all = turns.flat()

test('each file that takes turns is there, once', () => {
  expect(all.filter((file) => !existsSync(file))).toEqual([])
  expect(new Set(all).size).toBe(all.length)
})

test('an order has every file once, begins with one of each group, and any file of a group may be the first', () => {
  const firsts = new Set<string>()
  for (let run = 0; run < 300; run += 1) {
    const order = drawOrder()
    expect(order.toSorted()).toEqual(all.toSorted())
    const first = order.slice(0, turns.length)
    for (const [place, file] of first.entries()) expect(turns[place]).toContain(file)
    for (const file of first) firsts.add(file)
  }
  expect([...firsts].sort()).toEqual(all.toSorted())
})
