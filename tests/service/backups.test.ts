import { expect, test } from 'vitest'
import { parseBackupList, parseBackups, renderBackups, renderRun, renderTimer } from '@/lib/service/machines/backups'

const at = Date.parse('2026-11-21T02:31:07Z') / 1000

const files = [
  { name: 'a.tar.gz', bytes: 7, writtenAt: at, proven: true, lacks: { missing: [{ name: 'sh op', reason: 'x: y' }], leftOut: ['/srv/m'] } },
  { name: 'b.tar.gz', bytes: 7, writtenAt: at - 1, proven: false, lacks: { missing: [], leftOut: [] } },
  { name: 'by hand', bytes: 0, writtenAt: at - 2, proven: false },
]

test('files are listed with what they lack; a file without metadata is listed without any', () => {
  expect(parseBackups(renderBackups(files))).toEqual(files)
  const { items, last, timer } = parseBackupList(renderBackups(files))
  expect([last, timer]).toEqual([undefined, undefined])
  expect(items[0]).toMatchObject({ proven: true, missing: [{ name: 'sh op', reason: 'x: y' }], left_out: ['/srv/m'] })
  expect(items[1]).toMatchObject({ missing: [], left_out: [] })
  expect(Object.keys(items[2] ?? {})).toEqual(['name', 'size', 'created_at', 'proven'])
})

test('the newest run and the timer are listed next to the files, not among them', () => {
  const printed = renderTimer(true, at) + renderRun('failed', at, 'No room.') + renderBackups(files)
  expect(parseBackupList(printed)).toMatchObject({
    timer: { active: true, next: '2026-11-21T02:31:07.000Z' },
    last: { state: 'failed', at: '2026-11-21T02:31:07.000Z', reason: 'No room.' },
    items: [{ name: 'a.tar.gz' }, { name: 'b.tar.gz' }, { name: 'by hand' }],
  })
  expect(parseBackupList(renderTimer(false, 0))).toEqual({ items: [], timer: { active: false, next: '' } })
  expect(parseBackupList(renderRun('ended', at, '')).last).toMatchObject({
    state: 'failed',
    reason: expect.stringMatching(/^The backup was interrupted/),
  })
})

test('text from the host is limited to one line, and an unknown state is left out', () => {
  const hostile = parseBackupList(renderRun('failed', at, 'one\ntwo\u001b[31m \u202etxt')).last?.reason
  expect(hostile).toBe('one two [31m [U+202E]txt')
  expect(parseBackupList(`\0run\0${at}\0exploded\nx\0`)).toEqual({ items: [] })
  expect(parseBackupList('\0run\0')).toEqual({ items: [] })
})
