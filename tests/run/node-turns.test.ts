/** The unit tests run on each supported version of Node in turns. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { environmentOf, findNode, nodeVersions, orderOfVersions, planNodes } from './node-turns.mjs'

const clockAt = (count: number) => ({ counted: 'commits' as const, count, perStep: 60, perSubmission: 30 })

test('the oldest version is the one that package.json and the README name', () => {
  const { engines }: { engines: { node: string } } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(`${nodeVersions[0]}`).toBe(`${engines.node.replace('>=', '')}.0`)
  expect(nodeVersions.map((version) => version.split('.')[0])).toEqual(['20', '22', '24'])
})

test('submissions of 1 to 60 commits pass over no version, and each has its turn within the submissions that the run names', () => {
  for (let start = 0; start < 180; start++) {
    const { versions, noTurn } = planNodes(clockAt(start), {})
    expect(noTurn).toHaveLength(2)
    for (const line of noTurn) {
      const [, version = '', submissions = ''] = /on Node (\S+) \(within (\d+) /.exec(line) ?? []
      const turns = Array.from({ length: Number(submissions) }, (_, place) => orderOfVersions(clockAt(start + (place + 1) * 30))[0])
      expect(versions).not.toContain(version)
      expect(turns, `${start}: ${line}`).toContain(version)
    }
  }
  expect(planNodes(clockAt(0), { TEST_NODE: '24' }).versions).toEqual([nodeVersions[2]])
  expect(planNodes(clockAt(0), { SEEDS: '1' })).toEqual({ versions: nodeVersions, noTurn: [] })
  expect(new Set(Array.from({ length: 3 }, (_, step) => orderOfVersions(clockAt(step * 60))[0])).size).toBe(3)
})

test('this version needs no install, and programs that tests start by name find it', async () => {
  expect(await findNode(process.version.slice(1))).toEqual({ program: process.execPath })
  expect(environmentOf('/opt/node/bin/node').PATH).toMatch(/^\/opt\/node\/bin:/)
})
