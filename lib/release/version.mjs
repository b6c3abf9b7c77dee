/** Which version a release is, and of when: read from git. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const git = (/** @type {string[]} */ ...args) => execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()

/**
 * A commit with a tag such as v1.2.0 is version 1.2.0. Any other is the version of package.json with the commit, 0.1.0+g1a2b3c4d5e6f, and ends in
 * .modified if files differ from it. Throws if this is no clone.
 * @returns {{ version: string, commit: string, seconds: number }} seconds: when the commit was made, in Unix time; every file of the release has it
 */
export function readRelease() {
  const commit = git('rev-parse', 'HEAD')
  const seconds = Number(git('log', '-1', '--format=%ct'))
  const tag = git('tag', '--points-at', 'HEAD')
    .split('\n')
    .find((name) => /^v\d+\.\d+\.\d+(-[\w.-]+)?$/.test(name))
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  const named = tag === undefined ? `${version}+g${commit.slice(0, 12)}` : tag.slice(1)
  const isModified = git('status', '--porcelain') !== ''
  return { version: isModified ? `${named}${tag === undefined ? '.' : '+'}modified` : named, commit, seconds }
}
