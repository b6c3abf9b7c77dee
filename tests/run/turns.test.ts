/** Files that take turns are there, and chance leaves none of them out for good. */
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { leaveToOthers, turns } from './turns.mjs'

const all = turns.flatMap(({ of }) => of)

test('each file that takes turns is there, once', () => {
  expect(all.filter((file) => !existsSync(file))).toEqual([])
  expect(new Set(all).size).toBe(all.length)
})

test('a run takes as many of each group as it says, and every file has a turn', () => {
  const taken = new Set<string>()
  for (let run = 0; run < 300; run += 1) {
    const left = new Set(leaveToOthers(false))
    for (const { take, of } of turns) {
      const kept = of.filter((file) => !left.has(file))
      expect(kept).toHaveLength(take)
      for (const file of kept) taken.add(file)
    }
  }
  expect([...taken].sort()).toEqual([...all].sort())
})

test('a soak leaves nothing to others', () => {
  expect(leaveToOthers(true)).toEqual([])
})
