/** Files that every run takes are there, and chance gives each of the others its turn. */
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { always, drawOthers } from './turns.mjs'

const folders = ['hosts', 'browser', 'launcher']

test('each file that every run takes is there, once', () => {
  expect(always.filter((file) => !existsSync(file))).toEqual([])
  expect(new Set(always).size).toBe(always.length)
})

test('the others are drawn once each, none of those that always run, and any of them may be the first', () => {
  const all = drawOthers(folders).sort()
  const firsts = new Set<string>()
  for (let run = 0; run < 2000; run += 1) {
    const order = drawOthers(folders)
    expect(order.length).toBe(new Set([...order, ...all]).size)
    for (const file of order.slice(0, 1)) firsts.add(file)
  }
  expect(all.filter((file) => always.includes(file) || !existsSync(file))).toEqual([])
  expect([...firsts].sort()).toEqual(all)
})
