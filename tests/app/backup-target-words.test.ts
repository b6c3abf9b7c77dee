/** What a frozen backup target says of how to use it again. */
import { expect, test } from 'vitest'
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
