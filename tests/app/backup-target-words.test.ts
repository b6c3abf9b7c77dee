/** What the page of backup targets says of each kind. */
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { AccessField } from '@/app/(portal)/team/backup-targets/access-field'
import { describeKit } from '@/app/(portal)/team/backup-targets/kit-words'
import { formatHolding } from '@/app/(portal)/team/backup-targets/target-card'
import { describeTest } from '@/app/(portal)/team/backup-targets/test-from-server'
import { thawOf } from '@/app/(portal)/team/backup-targets/thaw-words'

test('a frozen target names the item of its menu that uses it again; a folder has no keys to replace', () => {
  const own = { ownerName: null, changeRefusal: null }
  expect(thawOf({ kind: 's3', ...own })).toBe('Gatehouse no longer uses its keys. To use it again, choose “Replace keys” in its menu.')
  expect(thawOf({ kind: 'folder', ...own })).toBe('Gatehouse no longer uses it. To use it again, choose “Use again” in its menu.')
  for (const kind of ['s3', 'sftp', 'folder'] as const) {
    const others = [thawOf({ kind, ownerName: 'Robin', changeRefusal: 'no' }), thawOf({ kind, ownerName: null, changeRefusal: 'no' })]
    for (const text of others) expect(text.includes('keys')).toBe(kind !== 'folder')
  }
})

test('a recovery kit says what it has, and that the key of SFTP alone deletes', () => {
  const targets = [
    { kind: 's3', access: null },
    { kind: 'sftp', access: 'rclone' },
    { kind: 'sftp', access: 'sftp' },
    { kind: 'folder', access: null },
  ] as const
  const texts = targets.map((target) => describeKit({ ...target, label: 'Storage' }))
  expect(texts.map((text) => text.includes('server key'))).toEqual([true, true, true, false])
  expect(texts.map((text) => text.includes('can read and delete the copies'))).toEqual([false, false, true, false])
})

test('a test from a server says what is tried: by rclone the server deletes nothing', () => {
  expect(describeTest({ label: 'Storage', access: 'sftp' })).toBe('The server writes, reads, lists and deletes a small file in Storage.')
  expect(describeTest({ label: 'Storage', access: null })).toContain('a small file')
  expect(describeTest({ label: 'Storage', access: 'rclone' })).toContain('the maintenance key')
})

test('the dialogs of an SFTP server have the lines for authorized_keys, with the folder of the target', () => {
  const markup = renderToStaticMarkup(createElement(AccessField, { former: 'rclone', folder: '/team' }))
  expect(markup).toContain('--append-only /team/$r')
  expect(markup).toContain('MAINTENANCE-KEY.pub')
  expect(renderToStaticMarkup(createElement(AccessField, { former: 'sftp', folder: '/team' }))).not.toContain('SERVER-KEY.pub')
})

test('a target counts the sites and the servers of which it has copies', () => {
  const held = { servers: 2, newestAt: null, unconfirmed: 0 }
  expect(formatHolding({ ...held, copies: 8, sites: 3, ownServers: 0 })).toBe('8 copies of 3 sites on 2 servers')
  expect(formatHolding({ ...held, copies: 1, sites: 0, ownServers: 1 })).toBe('1 copy of 1 server')
  expect(formatHolding({ ...held, copies: 9, sites: 3, ownServers: 1 })).toBe('9 copies of 3 sites and 1 server')
})
