/** What Next writes into a build that differs each time: the place, and keys that it draws. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { settleBuild } from '@/lib/release/same-bytes.mjs'

const dir = mkdtempSync(join(tmpdir(), 'gatehouse-bytes-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** As Next leaves it, in a project at `place` and with keys that consist of `digit`. */
function makeBuild(name: string, place: string, digit: string): string {
  const folder = join(dir, name)
  mkdirSync(join(folder, 'server'), { recursive: true })
  const preview = {
    previewModeId: digit.repeat(32),
    previewModeSigningKey: `${digit}1`.repeat(32),
    previewModeEncryptionKey: `${digit}2`.repeat(32),
  }
  const files = {
    'server/preview-props.json': preview,
    'prerender-manifest.json': { version: 4, routes: {}, preview },
    'required-server-files.json': { config: { root: place } },
    'required-server-files.js': { root: place },
  }
  for (const [path, content] of Object.entries(files)) writeFileSync(join(folder, path), JSON.stringify(content))
  return folder
}

const contentsOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), 'utf8')])
    .sort()

test('two builds of the same sources in two folders give the same bytes, with keys of the same length', () => {
  const [one, other] = [makeBuild('one', '/srv/one', 'a'), makeBuild('other', '/home/other', 'b')]
  settleBuild(one, '.next-builds/abc', '/srv/one')
  settleBuild(other, '.next-builds/abc', '/home/other')
  expect(contentsOf(one)).toEqual(contentsOf(other))
  const { preview } = JSON.parse(readFileSync(join(one, 'prerender-manifest.json'), 'utf8'))
  expect(preview).toEqual(JSON.parse(readFileSync(join(one, 'server/preview-props.json'), 'utf8')))
  expect(Object.values<string>(preview).map(({ length }) => length)).toEqual([32, 64, 64])
  expect(new Set(Object.values(preview)).size).toBe(3)
  expect(JSON.parse(readFileSync(join(one, 'required-server-files.js'), 'utf8'))).toEqual({ root: '.' })
})

test('builds of other sources have other keys', () => {
  const [one, other] = [makeBuild('first', '/srv/one', 'a'), makeBuild('second', '/srv/one', 'a')]
  settleBuild(one, '.next-builds/abc', '/srv/one')
  settleBuild(other, '.next-builds/def', '/srv/one')
  expect(contentsOf(one)).not.toEqual(contentsOf(other))
})
