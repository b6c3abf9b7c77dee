/** The lists of files that take long name files that are there, so that a renamed one is not run as any other without a word. */
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { longest, slowFiles } from './slow-files.mjs'

test('each file that is named is there, once, and each that --quick leaves out with the reason', () => {
  expect(longest.filter((file) => !existsSync(file))).toEqual([])
  expect(new Set(longest).size).toBe(longest.length)
  for (const [file, why] of Object.entries(slowFiles)) expect([file, why]).toEqual([file, expect.stringMatching(/^\w.{10,}[^.]$/)])
})
