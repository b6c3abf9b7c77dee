/** What every run takes is there, and every other file has its turn within the submissions that the run names. */
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { orderOfTurns, submissionsUntil, turnsAtOnce } from './rotation.mjs'
import { always, filesAtOnce, planTurns } from './turns.mjs'

const files = Array.from({ length: 107 }, (_, place) => `tests/hosts/${place}.test.ts`)
const clockAt = (count: number) => ({ counted: 'commits' as const, count, perStep: 60, perSubmission: 30 })

/** Numbers that look like chance, the same in every run. */
function* numbers(seed: number) {
  for (let value = seed; ; ) {
    value = (value * 1_103_515_245 + 12_345) % 2 ** 31
    yield value / 2 ** 31
  }
}
const numbersFrom = (seed: number) => {
  const source = numbers(seed)
  return () => source.next().value ?? 0
}

/** The most submissions, and the most commits, that any file waits for its turn while submissions have some numbers of commits and of turns. */
function longestWaits(commitsOf: () => number, turnsOf: () => number, { submissions = 800, list = files } = {}) {
  const seen = new Map(list.map((file) => [file, { submission: 0, commit: 1000 }]))
  const longest = { submissions: 0, commits: 0 }
  for (let submission = 1, commit = 1000; submission <= submissions; submission += 1) {
    commit += commitsOf()
    for (const file of orderOfTurns(list, [], clockAt(commit)).slice(0, turnsOf())) seen.set(file, { submission, commit })
    for (const last of seen.values()) {
      longest.submissions = Math.max(longest.submissions, submission - last.submission)
      longest.commits = Math.max(longest.commits, commit - last.commit)
    }
  }
  return longest
}

test('each file that every run takes is there, once, and so are the others, in an order of turns', () => {
  expect(always.filter((file) => !existsSync(file))).toEqual([])
  expect(new Set(always).size).toBe(always.length)
  const { first, turns } = planTurns(['hosts', 'browser', 'launcher'])
  expect(first).toEqual([...always].sort())
  expect([...first, ...turns].filter((file) => !existsSync(file))).toEqual([])
  expect(new Set([...first, ...turns]).size).toBe(first.length + turns.length)
})

test('whatever submissions of 1 to 60 commits hold, and however many turns they have time for, no file waits for more than 1,140 commits', () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    const chance = numbersFrom(seed)
    const { commits, submissions } = longestWaits(
      () => 1 + Math.floor(chance() * 60),
      () => turnsAtOnce + Math.floor(chance() * 13),
    )
    expect(commits).toBeLessThanOrEqual(60 * (Math.ceil(files.length / turnsAtOnce) + 1))
    expect(submissions).toBeLessThanOrEqual(45)
  }
})

test.each([100, 107, 120, 132])('of %i files, none waits for more than 110 submissions where all have the same size', (count) => {
  const list = Array.from({ length: count }, (_, place) => `${place}`)
  for (let size = 1; size <= 60; size += 1) {
    const { submissions } = longestWaits(
      () => size,
      () => 2 * turnsAtOnce,
      { submissions: 240, list },
    )
    expect([size, submissions > 110]).toEqual([size, false])
  }
})

test('a file has its turn within the submissions that were said, if each has thirty commits or sixty', () => {
  for (const [start, size] of [
    [790, 30],
    [811, 30],
    [779, 60],
  ] as const) {
    for (const file of files) {
      const said = submissionsUntil(files, file, clockAt(start))
      const orders = Array.from({ length: said }, (_, place) => orderOfTurns(files, [], clockAt(start + (place + 1) * size)))
      expect(orders.some((order) => order.slice(0, turnsAtOnce).includes(file))).toBe(true)
    }
  }
})

test('where days are counted, six files a day go round', () => {
  const order = (day: number) =>
    orderOfTurns(files, [], { counted: 'days', count: day, perStep: 1, perSubmission: 1 }).slice(0, turnsAtOnce)
  const days = Array.from({ length: Math.ceil(files.length / turnsAtOnce) }, (_, day) => order(20_000 + day))
  expect(new Set(days.flat()).size).toBe(files.length)
})

test('six of the touched files come first, those touched themselves before those of the subject, and then the six whose turn is sure', () => {
  const sure = orderOfTurns(files, [], clockAt(790)).slice(0, turnsAtOnce)
  const near = files.slice(50, 53)
  const far = files.slice(10, 40).filter((file) => !sure.includes(file))
  const order = orderOfTurns(files, [near, far], clockAt(790))
  expect(order.slice(0, 3).sort()).toEqual(near)
  expect(order.slice(3, 6).filter((file) => !far.includes(file))).toEqual([])
  expect(order.slice(6, 12)).toEqual(sure)
  expect([...order].sort()).toEqual([...files].sort())
  expect(order.slice(12, 12 + far.length - 3).filter((file) => !far.includes(file))).toEqual([])
})

test('six files begin together at first, then two, and none after minute 50', () => {
  expect([0, 39.9, 40, 49.9, 50, 89].map(filesAtOnce)).toEqual([6, 6, 2, 2, 0, 0])
})
